/** Processes in the states in which a lock may find its holder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Holder } from '../../src/kernel/base/lock.ts';
import { isDead, selfHolder } from '../../src/kernel/base/processes.ts';

export interface Held extends Disposable {
  readonly holder: Holder;
}

export async function deadHolder(): Promise<Held> {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const holder = selfHolder(randomUUID(), child.pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return { holder, [Symbol.dispose]: () => undefined };
}

/** The number is in use again, by a process that began at another time. */
export async function reusedHolder(): Promise<Held> {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const holder = { ...selfHolder(randomUUID(), child.pid), startTime: '1' };
  return { holder, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

/** Dead, and its parent never asks for it. */
export async function zombieHolder(): Promise<Held> {
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60']);
  const pid = Number(await firstLine(parent));
  const holder = selfHolder(randomUUID(), pid);
  for (let count = 0; count < 200 && !isDead(holder); count++) await sleep(20);
  return { holder, [Symbol.dispose]: () => void parent.kill('SIGKILL') };
}

/** This very process on a machine that cannot be asked. */
export function foreignHolder(changes: Partial<Holder> = {}): Holder {
  return { ...selfHolder(randomUUID()), host: 'elsewhere.example', ...changes };
}

async function firstLine(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error('There is no pipe');
  const [bytes] = (await once(stdout, 'data')) as [Buffer];
  return bytes.toString().trim();
}
