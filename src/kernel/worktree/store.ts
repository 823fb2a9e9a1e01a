/** A private store that is open, and what it needs. */
import type { FilePort } from '../base/files.ts';
import type { LockPorts } from '../base/lock.ts';
import { createPrivateGit, type PrivateGit } from './private-git.ts';
import { type Env, placeStore, type StorePlace } from './store-folder.ts';

export interface StorePorts {
  /** The person's folder of `cc`. */
  readonly home: string;
  readonly files: FilePort;
  readonly locks: LockPorts;
  readonly env: Env;
}

export interface Store extends StorePorts {
  readonly place: StorePlace;
  readonly git: PrivateGit;
}

export async function openStore(root: string, ports: StorePorts): Promise<Store> {
  const place = await placeStore({ root, ...ports });
  return { ...ports, place, git: createPrivateGit(place, ports.env) };
}
