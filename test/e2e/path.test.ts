import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, ID, INTENT, PLAN, PROJECT } from '../support/sessions.ts';
import { TempRepo } from '../support/temp-repo.ts';

const PROGRAM = resolve(import.meta.dirname, '../../dist/cc.cjs');
const MAX_COMMANDS = 12;

/** Types the line into a shell in which `cc` is the built program. */
async function typed(repo: TempRepo, line: string) {
  const script = `cc() { "${process.execPath}" "${PROGRAM}" "$@"; }\n${line}`;
  const { exit, stdout, stderr } = await repo.run('bash', ['--norc', '-c', script]);
  const next = /^Next: (.*)$/m.exec(`${stdout}\n${stderr}`)?.[1];
  return { exit, next, screen: `${stdout}${stderr}` };
}

test.each([
  ['this session is the only one', undefined],
  ['another session is the current one', 'other'],
])('whoever types what stands behind Next: arrives, when %s', async (_title, current) => {
  await using repo = await TempRepo.create();
  for (const [path, text] of Object.entries(PROJECT)) await repo.write(path, text);
  await repo.git('add', '--all');
  await repo.git('commit', '--quiet', '--message', 'The project');
  await repo.write(`${FOLDER}/intent.md`, INTENT);
  await repo.write(`${FOLDER}/plan.md`, PLAN);
  if (current !== undefined) {
    await repo.write(`.chainlesschain/sessions/${current}/intent.md`, INTENT.replace(ID, current));
    await repo.write('.chainlesschain/current', `${current}\n`);
  }
  const lines: string[] = [];
  let line: string | undefined = `cc status --session ${ID}`;
  for (let count = 0; count < MAX_COMMANDS && line !== undefined; count++) {
    lines.push(line);
    const { next, screen } = await typed(repo, line);
    if (line.includes('complete --commit')) {
      expect(screen).toContain('\nCommitted ');
      break;
    }
    expect(next, screen).toBeDefined();
    line = next;
  }
  const names = lines.map((one) => one.replace(/ (?:--session|--hash) \S+/g, ''));
  expect(names).toEqual([
    'cc status',
    'cc ralplan --approve',
    // Without a terminal, naming the session with the hash that was shown is the approval.
    ...(current === undefined ? ['cc ralplan --approve'] : []),
    'cc ralph',
    'cc verify',
    'cc complete',
    'cc complete --commit',
  ]);
  expect(
    lines.slice(1).every((one) => current === undefined || one.includes(`--session ${ID}`)),
  ).toBe(true);
  expect(await repo.git('log', '-1', '--format=%s')).toBe('Say 42');
  expect(JSON.parse(await repo.read(`${FOLDER}/mode.json`))).toMatchObject({ stage: 'complete' });
});
