import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childEnv } from '../../../src/kernel/base/child-env.ts';
import { type CommandSpec, endMarked, runCommand } from '../../../src/kernel/base/processes.ts';
import { findShell } from '../../../src/kernel/base/shell.ts';

let cwd = '';
let count = 0;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'cc-run-'));
});
afterAll(() => rm(cwd, { recursive: true }));

interface Options extends Partial<CommandSpec> {
  readonly vars?: Readonly<Record<string, string>>;
}

async function run(command: string, { vars, ...options }: Options = {}) {
  const shell = options.shell ?? (await findShell(process.env));
  if (shell === undefined) throw new Error('These tests need a shell');
  const marker = options.marker ?? `test-${process.pid}-${count++}`;
  const env = childEnv({ ...process.env, ...vars }, { marker });
  const signal = new AbortController().signal;
  const now = () => performance.now();
  return runCommand({
    command,
    cwd,
    env,
    shell,
    timeoutMs: 20_000,
    signal,
    marker,
    now,
    ...options,
  });
}

/** Waits for a number that a command writes to a file. */
async function pidIn(name: string): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const text = await readFile(join(cwd, name), 'utf8').catch(() => '');
    if (/^\d+\n$/.test(text)) return Number(text);
    await sleep(20);
  }
  throw new Error(`${name} was not written`);
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('endings', () => {
  test.each([
    ['success', 'echo out; echo err >&2', { exitCode: 0, stdout: 'out\n', stderr: 'err\n' }],
    ['a failure', 'exit 3', { exitCode: 3, stdout: '' }],
    ['a missing program', 'no-such-program', { exitCode: 127 }],
    ['a signal', 'kill -KILL $$', { exitCode: undefined, signal: 'SIGKILL' }],
    ['output without an end of line', "printf 'é'", { stdout: 'é', stdoutBytes: 2 }],
  ])('reports %s', async (_title, command, expected) => {
    const result = await run(command);

    expect(result).toMatchObject(expected);
    expect(result).not.toHaveProperty('terminationReason');
    expect(result.leftovers).toBe(0);
  });

  test.each([
    [false, 0],
    [true, 1],
  ])('with pipefail %s a broken pipeline ends with %i', async (pipefail, exitCode) => {
    expect(await run('false | true', { pipefail })).toMatchObject({ exitCode });
  });

  test.each([
    ['the folder is missing', { cwd: '/no/such/folder' }, '/no/such/folder'],
    ['the folder is a file', { cwd: '/etc/hostname' }, 'not a folder'],
    [
      'the shell is missing',
      { shell: { kind: 'sh', label: 'POSIX sh', path: '/no/sh' } },
      'POSIX sh',
    ],
    ['the command holds a NUL', { command: 'a\0b' }, 'null byte'],
    ['the command is too long', { command: 'x'.repeat(3_000_000) }, 'E2BIG'],
  ] as const)('does not throw when %s', async (_title, options, reason) => {
    const result = await run('true', options);

    expect(result).toMatchObject({ exitCode: undefined, terminationReason: 'not-started' });
    expect(result.stderr).toContain(reason);
  });

  test('leads a group and a session of its own', async () => {
    const command =
      'read -r _ _ _ _ group session _ < /proc/$$/stat; echo $((group - $$)) $((session - $$))';

    expect(await run(command)).toMatchObject({ stdout: '0 0\n' });
  });

  test('keeps what is printed while it is being ended', async () => {
    const command = "trap 'head -c 60000 /dev/zero; exit 3' TERM; sleep 60 & wait";
    const result = await run(command, { timeoutMs: 500 });

    expect(result).toMatchObject({
      terminationReason: 'timeout',
      exitCode: 3,
      stdoutBytes: 60_000,
    });
  });

  test('measures with the clock it is given', async () => {
    const times = [1_000, 1_234.4];

    expect(await run('true', { now: () => times.shift() ?? 0 })).toMatchObject({ durationMs: 234 });
  });
});

describe('what stays in the background', () => {
  test.each([
    ['a child holds the pipe', 'sleep 300 & echo hi', 1],
    ['the output goes through tee', 'exec > >(tee log) && echo hi', 0],
    ['the output goes through something slow', 'exec > >(sleep 0.05; cat); echo hi', 0],
    ['the child has files of its own', 'sleep 300 >/dev/null 2>&1 & echo hi', 1],
    ['the child leads a session', 'setsid sleep 300 >/dev/null 2>&1 & sleep 0.2; echo hi', 1],
    ['the child will not go', '(trap "" TERM; sleep 300; sleep 300) & sleep 0.1; echo hi', 2],
  ])('is ended when %s', async (_title, command, leftovers) => {
    const result = await run(command);

    expect(result).toMatchObject({ exitCode: 0, stdout: 'hi\n' });
    // A filter that ends by itself may still be at it on a busy machine, and is then ended.
    expect(result.leftovers).toBeGreaterThanOrEqual(leftovers);
    expect(result.leftovers).toBeLessThanOrEqual(Math.max(leftovers, 1));
    expect(result.durationMs).toBeLessThan(1_500);
  });

  test('is ended within a second of the timeout', async () => {
    const result = await run('sleep 300 & echo hi; sleep 60', { timeoutMs: 1_000 });

    expect(result).toMatchObject({ stdout: 'hi\n', terminationReason: 'timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(1_000);
    expect(result.durationMs).toBeLessThan(2_000);
  });

  test.each([
    [
      'does not listen to SIGTERM',
      '(trap "" TERM; echo $BASHPID > FILE; while :; do sleep 0.1; done) &',
    ],
    [
      'left the group and its parent',
      '(setsid sh -c "trap \'\' TERM; echo \\$\\$ > FILE; while :; do sleep 0.1; done" &) &',
    ],
    [
      'has an empty environment, below its parent',
      'env -i "$(command -v setsid)" /bin/sh -c "echo \\$\\$ > FILE; exec /bin/sleep 300" &',
    ],
    ['is stopped', '(echo $BASHPID > FILE; kill -STOP $BASHPID) &'],
  ])('is ended at a timeout when it %s', async (title, command) => {
    const name = title.replaceAll(/\W/g, '-');
    const timeoutMs = 700;
    const [result, pid] = await Promise.all([
      run(`${command.replace('FILE', name)} sleep 60`, { timeoutMs }),
      pidIn(name),
    ]);

    expect(result).toMatchObject({ terminationReason: 'timeout', signal: 'SIGTERM' });
    expect(isRunning(pid)).toBe(false);
  });

  test('is found by its marker later, also below another run', async () => {
    const marker = `left-${process.pid}`;
    const shell = await findShell(process.env);
    const inner = childEnv(childEnv(process.env, { marker }), { marker: 'inner' });
    execFileSync(
      shell?.path ?? 'sh',
      ['-c', 'setsid sh -c "echo \\$\\$ > left; exec sleep 300" & :'],
      {
        cwd,
        env: inner,
        stdio: 'ignore',
      },
    );
    const pid = await pidIn('left');
    expect(isRunning(pid)).toBe(true);

    expect(await endMarked('left-')).toBe(0);
    expect(await endMarked(marker)).toBe(1);
    expect(isRunning(pid)).toBe(false);
    expect(await endMarked(marker)).toBe(0);
  });
});

describe('cancel', () => {
  test('before the start runs nothing', async () => {
    const result = await run('touch ran', { signal: AbortSignal.abort() });

    expect(result).toMatchObject({ exitCode: undefined, terminationReason: 'cancelled' });
    await expect(readFile(join(cwd, 'ran'))).rejects.toThrow('ENOENT');
  });

  test('ends what runs', async () => {
    const controller = new AbortController();
    const running = run('echo $$ > cancelled; sleep 300; echo no', { signal: controller.signal });
    const pid = await pidIn('cancelled');
    controller.abort();

    expect(await running).toMatchObject({ terminationReason: 'cancelled', stdout: '' });
    expect(isRunning(pid)).toBe(false);
  });
});

describe('commands that want a person', () => {
  beforeAll(async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' });
    git('init', '-q');
    git('config', 'user.name', 'A');
    git('config', 'user.email', 'a@example.org');
    git('config', 'core.pager', 'less -+F');
    const commits = Array.from({ length: 300 }, (_, n) =>
      [`commit refs/heads/main`, `committer A <a@example.org> ${n} +0000`, 'data 1', 'c', ''].join(
        '\n',
      ),
    );
    execFileSync('git', ['fast-import', '--quiet'], { cwd, input: commits.join('\n') });
    git('symbolic-ref', 'HEAD', 'refs/heads/main');
    await writeFile(join(cwd, 'staged.txt'), 'x');
    git('add', 'staged.txt');
  });

  test.each([
    ['read x', 1, ''],
    ['git commit', 1, ''],
    ['git log --oneline | wc -l', 0, '300\n'],
    ['cat', 0, ''],
    ['test -t 0 || test -t 1 || cat < /dev/tty', 1, ''],
  ])('%s ends by itself', async (command, exitCode, stdout) => {
    const result = await run(command, { vars: { EDITOR: 'sleep 60 #', PAGER: 'sleep 60 #' } });

    expect(result).toMatchObject({ exitCode, stdout });
    expect(result).not.toHaveProperty('terminationReason');
    expect(result.durationMs).toBeLessThan(5_000);
  });

  test('a long log comes without a pager', async () => {
    const result = await run('git log', { vars: { PAGER: 'sleep 60 #', GIT_PAGER: 'sleep 60 #' } });

    expect(result.exitCode).toBe(0);
    expect(result.stdout.match(/^commit /gm)).toHaveLength(300);
  });

  test('npm init ends by itself', async () => {
    const result = await run('mkdir -p pkg && cd pkg && npm init');

    expect(result).not.toHaveProperty('terminationReason');
    expect(result.durationMs).toBeLessThan(15_000);
  });

  test('a clone that asks for a password fails', async () => {
    const result = await run('git clone -q http://user@127.0.0.1:1/x');

    expect(result.exitCode).toBe(128);
    expect(result.durationMs).toBeLessThan(5_000);
  });
});

describe('output', () => {
  test('of any length needs little memory', async () => {
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    let seen = 0;
    const result = await run('yes | head -c 1500000000', {
      timeoutMs: 100_000,
      onOutput: (_stream, bytes) => {
        seen += bytes.length;
      },
    });
    clearInterval(watch);

    expect(result).toMatchObject({
      exitCode: 0,
      stdoutTruncated: true,
      stdoutBytes: 1_500_000_000,
    });
    expect(result.stdout).toMatch(/^y\ny\n[^]*\n\[1499901696 bytes cut here\]\n[^]*y\ny\n$/);
    expect(seen).toBe(1_500_000_000);
    expect((most - before) / 1_000_000).toBeLessThan(100);
  }, 120_000);

  test('that never ends is stopped by its own limit', async () => {
    const result = await run('timeout 0.5 yes');

    expect(result).toMatchObject({ exitCode: 124, stdoutTruncated: true });
  });

  test('waits for a slow listener and loses nothing', async () => {
    let open = 0;
    let most = 0;
    let seen = 0;
    const result = await run('head -c 3000000 /dev/zero', {
      onOutput: async (_stream, bytes) => {
        most = Math.max(most, ++open);
        await sleep(10);
        open--;
        seen += bytes.length;
      },
    });

    expect(result).toMatchObject({ exitCode: 0, stdoutBytes: 3_000_000 });
    expect([seen, most]).toEqual([3_000_000, 1]);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ])('ends the command when its listener %s', async (_title, onOutput) => {
    const marker = `failing-${process.pid}-${_title}`;

    await expect(run('echo x; sleep 300', { marker, onOutput })).rejects.toThrow('disk full');
    expect(await endMarked(marker)).toBe(0);
  });

  test('in an old code page is text, with its bytes counted', async () => {
    const result = await run("printf '\\304\\343\\272\\303\\n'; head -c 65536 /dev/urandom >&2");

    expect(result.stdout).toBe('\uFFFD\uFFFD\uFFFD\n');
    expect(result).toMatchObject({ stdoutBytes: 5, stderrBytes: 65_536, stderrTruncated: false });
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({ stderr: result.stderr });
  });
});

test('no startup file is read and no key is seen', async () => {
  await writeFile(join(cwd, 'startup.sh'), 'echo started\n');
  const startup = join(cwd, 'startup.sh');
  const vars = {
    BASH_ENV: startup,
    ENV: startup,
    OPENAI_API_KEY: 'k1',
    CC_API_KEY: 'k2',
    GH_TOKEN: 't',
  };

  const { stdout } = await run('env', { vars });

  expect(stdout).not.toMatch(/started|_API_KEY=/);
  expect(stdout).toContain('GH_TOKEN=t\n');
  expect(stdout).toMatch(/^CC_RUN=1$/m);
});
