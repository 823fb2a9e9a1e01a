// The surroundings of a measured process: a home of its own, nothing of the developer's or of CI.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** No clean-up in the background: it would run into the next measurement. */
const GIT_CONFIG = `[user]
\tname = Ann
\temail = ann@example.com
[init]
\tdefaultBranch = main
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;

/** Makes `home` when missing. NODE_EXTRA_CA_CERTS alone would double the start of Node 20. */
export async function benchEnv(home) {
  await mkdir(home, { recursive: true });
  await writeFile(join(home, '.gitconfig'), GIT_CONFIG);
  return {
    PATH: process.env['PATH'],
    HOME: home,
    USERPROFILE: home,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}

/** A repository with everything committed. */
export function makeRepository(root, env) {
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'Begin'],
  ]) {
    execFileSync('git', args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}
