/** Before the first test: the programs in `dist/` are those of the sources, and nobody's home is in reach. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
/** Tells a second project of the same run that the first has done it. */
const MARK = 'CC_TEST_HOME';

/** Of a failed build. */
const MAX_TOLD_LINES = 6;

const GIT_CONFIG = `[user]
\tname = Ann
\temail = ann@example.com
[init]
\tdefaultBranch = main
[commit]
\tgpgSign = false
`;

/** Of the developer or of a git hook that runs the tests; each would change what tests see. */
const UNSET = ['CI', 'NO_COLOR', 'FORCE_COLOR', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'NODE_PATH'];
const FOREIGN = /^(?:CC_(?!DIST_FOR_NOBODY$)|CHAINLESSCHAIN_|GIT_|XDG_|LC_|(?:OPENAI|ANTHROPIC)_)/;

/** Returns what ends it. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[MARK] !== undefined) return undefined;
  await buildPrograms();
  const base = await realpath(await mkdtemp(join(tmpdir(), 'cc-tests-')));
  const home = join(base, 'home');
  await mkdir(home, { mode: 0o700 });
  await makeTemporary(base);
  for (const name of Object.keys(process.env)) {
    if (UNSET.includes(name) || FOREIGN.test(name)) delete process.env[name];
  }
  Object.assign(process.env, await isolatedEnv(home), { [MARK]: home, TMPDIR: join(base, 'tmp') });
  return async () => {
    await rm(base, { recursive: true, force: true });
    delete process.env[MARK];
  };
}

/** For everything that the tests make: a worker that is ended early cleans nothing up. Another user may use it, too. */
async function makeTemporary(base: string): Promise<void> {
  await mkdir(join(base, 'tmp'));
  await chmod(join(base, 'tmp'), 0o1777);
  await chmod(base, 0o755);
}

/**
 * `npm test` has built, and stopped if it could not. Whoever calls the runner on one file while another part
 * of the sources is broken is told, and still gets that file's answer.
 */
async function buildPrograms(): Promise<void> {
  const script = join(ROOT, 'scripts/build.mjs');
  await promisify(execFile)(process.execPath, [script], { cwd: ROOT }).catch((error: unknown) => {
    const told = String(error).split('\n').slice(0, MAX_TOLD_LINES).join('\n');
    process.stderr.write(`dist/ is not what the sources say: ${told}\n`);
  });
}

async function isolatedEnv(home: string): Promise<Record<string, string>> {
  const folders = {
    CHAINLESSCHAIN_HOME: join(home, '.chainlesschain'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  const gitConfig = join(home, '.gitconfig');
  await writeFile(gitConfig, GIT_CONFIG);
  return {
    ...folders,
    HOME: home,
    USERPROFILE: home,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: gitConfig,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.com',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.com',
    GIT_TERMINAL_PROMPT: '0',
  };
}
