import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, sessionAt } from '../../support/sessions.ts';
import { TempProject } from '../../support/temp-project.ts';

interface Finding {
  readonly level: string;
  readonly what: string;
  readonly found: string;
  readonly remedy?: string;
}

async function findings(project: TempProject) {
  const { exitCode, value } = await project.ccJson('doctor');
  // What the command prints.
  const all = value['findings'] as readonly Finding[];
  return { exitCode, next: value['next'], bad: all.filter(({ level }) => level !== 'ok'), all };
}

test('everything in its place', async () => {
  await using project = await sessionAt('approved');
  const { exitCode, all, bad } = await findings(project);
  expect(exitCode).toBe(0);
  expect(bad).toEqual([]);
  expect(all.map(({ what }) => what)).toEqual([
    'Node',
    'git',
    'shell',
    'home folder',
    'seal key',
    'project',
    'hooks',
    'settings',
    'sessions',
  ]);
  expect((await project.cc('doctor')).stdout).toMatch(
    /\nEverything that is needed is here\nNext: cc status\n$/,
  );
});

test('no git and no shell on PATH', async () => {
  await using project = await sessionAt('plan');
  project.env = { PATH: project.home };
  const { exitCode, bad, next } = await findings(project);
  expect({ exitCode, next }).toEqual({ exitCode: 1, next: 'install git' });
  expect(bad.map(({ what, remedy }) => [what, remedy])).toEqual([
    ['git', 'install git'],
    ['shell', 'install bash'],
  ]);
});

test('a key that others can read; the remedy puts it right', async () => {
  await using project = await sessionAt('approved');
  const key = join(project.home, '.chainlesschain/seal.key');
  await chmod(key, 0o644);
  const { exitCode, bad } = await findings(project);
  expect({ exitCode, bad }).toEqual({
    exitCode: 1,
    bad: [
      {
        level: 'error',
        what: 'seal key',
        found: `${key}: others may read it`,
        remedy: `chmod 600 ${key}`,
      },
    ],
  });
  await chmod(key, 0o600);
  expect((await findings(project)).exitCode).toBe(0);
});

test('a home that cannot be made', async () => {
  await using project = await sessionAt('plan');
  await writeFile(join(project.home, 'file'), '');
  project.env = { CHAINLESSCHAIN_HOME: join(project.home, 'file', 'below') };
  const { exitCode, bad } = await findings(project);
  expect({ exitCode, bad }).toMatchObject({
    exitCode: 1,
    bad: [{ what: 'home folder', remedy: 'set CHAINLESSCHAIN_HOME to a folder of yours' }],
  });
});

test('hooks are a note: they stop stages until somebody says otherwise', async () => {
  await using project = await sessionAt('plan');
  await project.write('.chainlesschain/hooks/pre-plan.js', '');
  expect(await findings(project)).toMatchObject({
    exitCode: 0,
    bad: [{ level: 'note', what: 'hooks', found: expect.stringContaining('pre-plan.js') }],
  });
});

test('a damaged session, and the command that repairs it', async () => {
  await using project = await sessionAt('plan');
  await project.write(`${FOLDER}/mode.json`, '{');
  const { exitCode, bad, next } = await findings(project);
  expect({ exitCode, next, bad }).toMatchObject({
    exitCode: 1,
    next: 'cc repair --session s1',
    bad: [{ level: 'error', what: 's1' }],
  });
  expect((await project.cc('repair', '--session', 's1')).exitCode).toBe(0);
  expect((await findings(project)).exitCode).toBe(0);
});

test('settings: which ones, and the defaults where there are none', async () => {
  await using project = await sessionAt('plan');
  expect((await project.cc('doctor')).stdout).toContain('  ✓ settings: the defaults\n');
  await project.write('.chainlesschain/config.yaml', 'retries.max: 2\n');
  await project.cc('config', 'set', 'editor', 'vim');
  expect((await project.cc('doctor')).stdout).toContain(
    '  ✓ settings: retries.max (project), editor (user)\n',
  );
});

test('settings that cannot be read', async () => {
  await using project = await sessionAt('plan');
  await project.write('.chainlesschain/config.yaml', 'nonsense: 1\n');
  expect(await findings(project)).toMatchObject({
    exitCode: 1,
    bad: [{ what: 'settings', found: expect.stringContaining('config.yaml:1: ') }],
  });
});

test('outside of git is a note', async () => {
  await using project = await TempProject.create();
  await mkdir(join(project.root, 'a'));
  expect(await findings(project)).toMatchObject({
    exitCode: 0,
    bad: [{ level: 'note', what: 'project', found: `${project.root}, not in a git repository` }],
  });
});
