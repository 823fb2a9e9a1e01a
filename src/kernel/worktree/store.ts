/** A private store that is open, and what it needs. */
import type { FilePort } from '../base/files.ts';
import type { LockPorts } from '../base/lock.ts';
import { createPrivateGit, type PrivateGit } from './private-git.ts';
import { type Env, placeStore, type StorePlace } from './store-folder.ts';
import { STORE_LIMITS, type StoreLimits } from './store-limits.ts';

export interface StorePorts {
  /** The person's folder of `cc`. */
  readonly home: string;
  readonly files: FilePort;
  readonly locks: LockPorts;
  readonly env: Env;
  /** `STORE_LIMITS` unless given. */
  readonly limits?: StoreLimits;
}

export interface Store extends StorePorts {
  readonly place: StorePlace;
  readonly git: PrivateGit;
  readonly limits: StoreLimits;
}

export async function openStore(root: string, ports: StorePorts): Promise<Store> {
  const place = await placeStore({ root, ...ports });
  const { limits = STORE_LIMITS, env } = ports;
  return { ...ports, limits, place, git: createPrivateGit(place, env) };
}
