import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, ID, sessionAt } from '../support/sessions.ts';
import { TempProject } from '../support/temp-project.ts';

const NAMED = ['--session', ID];
const NOT_HERE = {
  exitCode: 7,
  value: {
    error: { code: 'APPROVAL_NOT_YOURS', hint: `cc ralplan --approve --session ${ID}` },
  },
};

/** Refused with nothing changed, and the remedy leads on. */
async function expectNotApproved(project: TempProject): Promise<void> {
  const before = await project.snapshot();
  expect((await project.ccJson('status', ...NAMED)).value).toMatchObject({
    plan: { state: 'foreign' },
  });
  expect(await project.ccJson('ralph', ...NAMED)).toMatchObject(NOT_HERE);
  expect(await project.snapshot()).toEqual(before);
  expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
  expect((await project.cc('ralph', ...NAMED)).exitCode).toBe(0);
}

test('an approved session that comes with another repository is not approved there', async () => {
  await using project = await sessionAt('approved');
  await using other = await TempProject.createRepository({ 'check.sh': 'exit 0\n' });
  // The same person, with the same key.
  await rm(other.home, { recursive: true });
  await cp(project.home, other.home, { recursive: true });
  await cp(join(project.root, FOLDER), join(other.root, FOLDER), { recursive: true });
  await expectNotApproved(other);
});

test('a copy of the whole project is another place', async () => {
  await using project = await sessionAt('approved');
  await rename(project.root, `${project.root}-moved`);
  await cp(`${project.root}-moved`, project.root, { recursive: true });
  // Where it was approved it is approved, whatever lay there in between.
  expect((await project.ccJson('status', ...NAMED)).value).toMatchObject({
    plan: { state: 'approved' },
  });
  project.io = { cwd: `${project.root}-moved` };
  expect(await project.ccJson('ralph', ...NAMED)).toMatchObject(NOT_HERE);
});

test.each([
  ['rejected', ['ralplan', '--reject', '--reason', 'no']],
  ['revised', ['ralplan', '--revise']],
  ['given up by going back', ['reset', '--to', 'intent']],
])('an approval that was %s does not come back with the files', async (_how, argv) => {
  await using project = await sessionAt('approved');
  await project.git('add', '--all', '--force');
  await project.git('commit', '--quiet', '--message', 'approved');
  expect((await project.cc(...argv, ...NAMED)).exitCode).toBe(0);
  await project.git('checkout', '--quiet', '.');
  await expectNotApproved(project);
});

test('an older approval does not come back with the files either', async () => {
  await using project = await sessionAt('approved');
  await project.git('add', '--all', '--force');
  await project.git('commit', '--quiet', '--message', 'approved');
  await project.cc('ralplan', '--step', 'one more', ...NAMED);
  expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
  await project.git('checkout', '--quiet', '.');
  await expectNotApproved(project);
});

test('with a key that is shared, an approval counts wherever the key is', async () => {
  await using project = await sessionAt('plan');
  project.env = { CC_SEAL_KEY: 'of the team' };
  expect((await project.cc('ralplan', '--approve', ...NAMED)).exitCode).toBe(0);
  const copy = await project.clone();
  await using other = copy;
  other.env = project.env;
  await rm(join(other.home, '.chainlesschain/approvals'), { recursive: true, force: true });
  expect((await other.cc('ralph', ...NAMED)).exitCode).toBe(0);
});

test('a record that cannot be read approves nothing', async () => {
  await using project = await sessionAt('approved');
  const folder = join(project.home, '.chainlesschain/approvals');
  const [place = ''] = await readdir(folder);
  const [file = ''] = await readdir(join(folder, place));
  await project.write(join('../home/.chainlesschain/approvals', place, file), '{"a":');
  await expectNotApproved(project);
});
