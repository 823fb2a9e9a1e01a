/** Where this person's key and records lie. */
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { CcError } from '../../kernel/base/errors.ts';
import { isInside, resolveLinksNow } from '../../kernel/base/paths.ts';
import type { Io } from '../io.ts';

type Place = Pick<Io, 'env' | 'home'>;

/**
 * `CHAINLESSCHAIN_HOME`, else `.chainlesschain` in the person's home.
 *
 * @throws {CcError} `CONFIG_INVALID` when it is relative: then it would be another folder in every folder.
 */
export function ownHome(place: Place): string {
  const home = place.env['CHAINLESSCHAIN_HOME'] || join(place.home, '.chainlesschain');
  if (isAbsolute(home)) return home;
  throw invalid(place, `"${home}" is a relative path`);
}

/**
 * In the project, the key that seals approvals would be committed, or come with a clone.
 *
 * @throws {CcError} `CONFIG_INVALID` when the home leads into the project.
 */
export function assertOutside(root: string, place: Place): void {
  // Where the project is the whole disk, every home is in it.
  if (dirname(root) === root) return;
  const home = ownHome(place);
  if (!isInside(realpathSync(root), resolveLinksNow(home))) return;
  throw invalid(place, `${home} is inside of the project ${root}`);
}

function invalid({ env }: Place, problem: string): CcError {
  const hint = `unset ${env['CHAINLESSCHAIN_HOME'] ? 'CHAINLESSCHAIN_HOME' : 'HOME'}`;
  return new CcError('CONFIG_INVALID', `The home of cc cannot be used: ${problem}`, { hint });
}
