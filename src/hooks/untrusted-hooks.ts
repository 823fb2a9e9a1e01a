/** The hooks of a project that nobody has trusted: none runs, and none is passed over in silence. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoring } from '../kernel/base/files.ts';
import { HOOK_EVENTS, type HookVerdict, type LifecycleHooks } from './lifecycle.ts';

const HOOK_FILE = new RegExp(`^(?:${HOOK_EVENTS.join('|')})(?:\\.(?:js|mjs|cjs))?$`, 'i');

/** Names in `.chainlesschain/hooks/` that are scripts for an event, sorted. */
export async function listHooks(root: string): Promise<readonly string[]> {
  const folder = join(root, '.chainlesschain', 'hooks');
  const names = (await readdir(folder).catch(ignoring('ENOENT', 'ENOTDIR'))) ?? [];
  return names.filter((name) => HOOK_FILE.test(name)).sort();
}

/**
 * Refuses every stage while the project has hooks, because a check that is skipped in silence is worse
 * than none.
 *
 * @param options.skip The person said `--no-hooks`: go on as if there were none.
 * @param options.command What was typed, for the remedy.
 */
export function refuseHooks(
  root: string,
  { skip, command }: { readonly skip: boolean; readonly command: string },
): LifecycleHooks {
  return {
    async before(phase): Promise<HookVerdict> {
      const [first, ...more] = await listHooks(root);
      if (first === undefined) return { ok: true };
      if (skip) {
        const names = [first, ...more].join(', ');
        return { ok: true, notes: [`[hooks] skipped before ${phase} (--no-hooks): ${names}`] };
      }
      const others = more.length === 0 ? '' : ` and ${more.length} more`;
      const message = `.chainlesschain/hooks/${first}${others}: hooks of this project are not trusted, so this stage would run without its guards`;
      return { ok: false, code: 'HOOKS_UNTRUSTED', message, remedy: `${command} --no-hooks` };
    },
    async after() {},
  };
}
