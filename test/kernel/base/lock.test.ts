import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { breakLock, type LockPorts, withLock } from '../../../src/kernel/base/lock.ts';
import { nodeFiles } from '../../../src/kernel/base/node-files.ts';
import { isDead, selfHolder } from '../../../src/kernel/base/processes.ts';
import { deadHolder, foreignHolder, reusedHolder, zombieHolder } from '../../support/holders.ts';

const ports: LockPorts = { files: nodeFiles, self: () => selfHolder(randomUUID()), isDead };
const hasty: LockPorts = { ...ports, patienceMs: 100 };

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cc-lock-'));
  lock = join(folder, '.lock');
});
afterEach(() => rm(folder, { recursive: true }));

const put = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));

test('one at a time: thirty who add to a number lose none', async () => {
  const file = join(folder, 'number');
  await writeFile(file, '0');
  const add = () =>
    withLock(lock, { ...ports, patienceMs: 60_000 }, async () => {
      const number = Number(await readFile(file, 'utf8'));
      await sleep(1);
      await writeFile(file, String(number + 1));
    });
  await Promise.all(Array.from({ length: 30 }, add));
  expect(await readFile(file, 'utf8')).toBe('30');
  expect(await readdir(folder)).toEqual(['number']);
});

test.each([
  ['a process that is gone', deadHolder],
  ['a number that another process has now', reusedHolder],
  ['a process that is dead and not collected', zombieHolder],
])('takes over from %s, and leaves nothing behind', async (_case, make) => {
  using held = await make();
  await put('.lock', held.holder);
  await put(`.lock.${held.holder.nonce}`, { ...held.holder, nonce: randomUUID() });
  await put(`.lock.${randomUUID()}.tmp`, held.holder);
  expect(await withLock(lock, hasty, async () => 'mine')).toBe('mine');
  expect(await readdir(folder)).toEqual([]);
});

test('five who see the same dead holder are inside one after the other', async () => {
  using held = await deadHolder();
  await put('.lock', held.holder);
  let inside = 0;
  const most: number[] = [];
  const enter = async () => {
    most.push(++inside);
    await sleep(5);
    inside--;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(lock, ports, enter)));
  expect(most).toEqual([1, 1, 1, 1, 1]);
});

test.each([
  ['on another machine', foreignHolder({ pid: 4711 })],
  [
    'in another pid namespace',
    foreignHolder({ host: selfHolder('').host, pid: 4711, pidNamespace: 'pid:[1]' }),
  ],
  ['alive', { ...selfHolder(randomUUID()), command: 'cc ralph' }],
])('never judges a holder dead that is %s', async (_case, holder) => {
  await put('.lock', holder);
  const before = await readFile(lock, 'utf8');
  await expect(withLock(lock, hasty, async () => 'mine')).rejects.toMatchObject({
    code: 'SESSION_BUSY',
    message: expect.stringContaining(`Process ${holder.pid} on ${holder.host}`),
    details: { holder: { pid: holder.pid } },
  });
  expect(await readFile(lock, 'utf8')).toBe(before);
  await expect(breakLock(lock, ports, false)).rejects.toMatchObject({ code: 'SESSION_BUSY' });
  expect(await breakLock(lock, ports, true)).toMatchObject({ pid: holder.pid });
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['empty', ''],
  ['half a lock', '{"nonce":"'],
  ['a lock of process 0, which is everybody', JSON.stringify(foreignHolder({ pid: 0 }))],
  ['a lock of process -1, which is everybody', JSON.stringify(foreignHolder({ pid: -1 }))],
  ['a nonce that is a path', JSON.stringify({ ...foreignHolder(), nonce: '../../x' })],
])('says what to do about a lock that is %s', async (_case, text) => {
  await writeFile(lock, text);
  const failure = { code: 'SESSION_DAMAGED', hint: 'cc unlock' };
  await expect(withLock(lock, hasty, async () => 'mine')).rejects.toMatchObject(failure);
  expect(await readFile(lock, 'utf8')).toBe(text);
});

test('does not follow a link in the place of the lock', async () => {
  const outside = join(folder, 'outside');
  await writeFile(outside, JSON.stringify((await deadHolder()).holder));
  await symlink(outside, lock);
  const failure = { code: 'SESSION_DAMAGED', message: `${lock}: it is not a file` };
  await expect(withLock(lock, hasty, async () => 'mine')).rejects.toMatchObject(failure);
  expect((await readdir(folder)).sort()).toEqual(['.lock', 'outside']);
});

test('a holder that came while a dead one was being cleared keeps its lock', async () => {
  using dead = await deadHolder();
  const living = selfHolder(randomUUID());
  await put('.lock', dead.holder);
  const isDeadAndGone = (holder: { readonly nonce: string }) => {
    // Between the look and the clearing somebody else cleared, and took it.
    if (holder.nonce === dead.holder.nonce) writeFileSync(lock, JSON.stringify(living));
    return holder.nonce === dead.holder.nonce;
  };
  const racing: LockPorts = { ...hasty, isDead: isDeadAndGone };
  const failure = { code: 'SESSION_BUSY', details: { holder: { nonce: living.nonce } } };
  await expect(withLock(lock, racing, async () => 'mine')).rejects.toMatchObject(failure);
  expect(JSON.parse(await readFile(lock, 'utf8'))).toEqual(living);
});

test('a draft that cannot be read goes when it is old, not before', async () => {
  const [old, young] = [randomUUID(), randomUUID()];
  await writeFile(join(folder, `.lock.${old}.tmp`), '{');
  await writeFile(join(folder, `.lock.${young}.tmp`), '{');
  const then = new Date(Date.now() - 120_000);
  await utimes(join(folder, `.lock.${old}.tmp`), then, then);
  await withLock(lock, ports, async () => undefined);
  expect(await readdir(folder)).toEqual([`.lock.${young}.tmp`]);
});
