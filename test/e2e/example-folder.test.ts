import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/sources.ts';
import { TempRepo } from '../support/temp-repo.ts';

/** Several programs start one after the other, on machines that are busy with other tests. */
const TIMEOUT_MS = 60_000;
const SESSION = '20261130-add-json-flag-report';

async function withExample(): Promise<TempRepo> {
  const repo = await TempRepo.create();
  const target = join(repo.root, '.chainlesschain');
  await cp(join(ROOT, '.chainlesschain.example'), target, { recursive: true });
  return repo;
}

test('the example is what git keeps of a finished session', async () => {
  const names = await readdir(join(ROOT, '.chainlesschain.example'), { recursive: true });
  expect(names.map((name) => name.replaceAll('\\', '/')).sort()).toEqual([
    '.gitattributes',
    '.gitignore',
    'config.yaml',
    'hooks',
    'hooks/pre-execute.js.example',
    'sessions',
    `sessions/${SESSION}`,
    `sessions/${SESSION}/intent.md`,
    `sessions/${SESSION}/mode.json`,
    `sessions/${SESSION}/plan.md`,
    `sessions/${SESSION}/progress.log`,
    `sessions/${SESSION}/summary.md`,
    `sessions/${SESSION}/tasks.json`,
    `sessions/${SESSION}/verify.json`,
  ]);
});

test('this program reads it, and says what it cannot judge here', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using repo = await withExample();
  const before = await repo.snapshot();

  const list = await repo.cc('session', 'list', '--json');
  expect(list).toMatchObject({ exit: 0 });
  expect(JSON.parse(list.stdout)).toMatchObject({
    sessions: [{ sessionId: SESSION, stage: 'complete', running: false }],
  });

  const status = await repo.cc('status', '--json', '--session', SESSION);
  expect(status).toMatchObject({ exit: 0 });
  expect(JSON.parse(status.stdout)).toMatchObject({
    stage: 'complete',
    goal: 'add a --json flag to the report command',
    // Approved with a key that is not on this machine.
    plan: { state: 'foreign', steps: 3, errors: [] },
    openTasks: 0,
    verify: 'passed',
  });

  const check = await repo.cc('check', '--require', 'complete', '--json');
  expect(check).toMatchObject({ exit: 0 });
  expect(JSON.parse(check.stdout)).toMatchObject({
    ok: true,
    sessions: [
      {
        id: SESSION,
        errors: [],
        warnings: [],
        notes: [
          'approved by Ann (terminal); seal not checkable here',
          'verify.json: seal not checkable here',
        ],
      },
    ],
  });
  expect(await repo.snapshot()).toEqual(before);
});

test('its settings are settings', { timeout: TIMEOUT_MS }, async () => {
  await using repo = await withExample();
  const config = await repo.cc('config', 'list', '--json');
  expect(config).toMatchObject({ exit: 0 });
  expect(JSON.parse(config.stdout).settings).toContainEqual(
    expect.objectContaining({ name: 'retries.max', value: 3, from: 'project' }),
  );
});
