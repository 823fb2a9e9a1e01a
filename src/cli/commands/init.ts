import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CcError } from '../../kernel/base/errors.ts';
import { findRepository } from '../../kernel/worktree/git.ts';
import { ensureFolder, hideFolder, makeFile } from '../../workflow/init-project.ts';
import { defineCommand } from '../command.ts';
import { assetFolder } from '../host/assets.ts';
import { choice, flag } from '../options.ts';

const NOT_HIDDEN =
  'session.private is set, but this is no git repository: once it is one, cc init --private hides the folder';
const TEMPLATES = ['coding-workflow'] as const;
/** Not named after an event, so nothing runs it. */
const HOOK_EXAMPLE = '.chainlesschain/hooks/pre-execute.js.example';
const HOOK_EXAMPLE_TEXT = `// Rename to pre-execute.js to make it a hook. Throwing vetoes the run; nothing is written then.
module.exports = async ({ event, sessionId, projectRoot, payload }) => {
  if (new Date().getDay() === 5) throw new Error('No runs on Fridays');
};
`;

export const command = defineCommand({
  name: 'init',
  about:
    'Makes .chainlesschain/ with the rules of what git ignores and an example of a hook that does nothing. ' +
    'Never writes over a file.',
  examples: ['cc init', 'cc init --template coding-workflow', 'cc init --private'],
  options: {
    template: choice(TEMPLATES, 'Also copy this template'),
    private: flag('Keep .chainlesschain/ out of git, for this clone only'),
  },

  async run({ args, host, out }) {
    const { root, files } = host;
    const { 'session.private': isPrivate } = await host.config();
    if (args.private && (await findRepository(root)) === undefined) {
      const message = '--private keeps the folder out of git, and this is no git repository';
      throw new CcError('REQUEST_INVALID', message, { hint: 'git init' });
    }
    const ports = { root, files };
    const made = [...(await ensureFolder(ports))];
    if (await makeFile(ports, HOOK_EXAMPLE, HOOK_EXAMPLE_TEXT)) made.push(HOOK_EXAMPLE);
    if (args.template !== undefined) made.push(...(await copyTemplate(ports, args.template)));
    const wasHidden = args.private || isPrivate ? await hideFolder(ports) : false;
    const isThere = made.length === 0 && wasHidden !== true;
    const text = [
      `Ready in ${root}`,
      ...made.map((path) => `wrote ${path}`),
      ...(wasHidden === true ? ['.chainlesschain/ is in .git/info/exclude'] : []),
      ...(wasHidden === undefined ? [NOT_HIDDEN] : []),
      ...(isThere ? ['everything was there already'] : []),
    ].join('\n');
    const next = 'cc deep-interview "<what you want>"';
    return out.done({ value: { root, files: made, private: wasHidden === true }, text, next });
  },
});

async function copyTemplate(
  ports: Parameters<typeof makeFile>[0],
  name: string,
): Promise<readonly string[]> {
  const folder = join(assetFolder('templates'), name);
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(
    (cause: unknown) => {
      throw new CcError('CONFIG_INVALID', `The template ${name} is not part of this installation`, {
        hint: 'npm install -g chainlesschain',
        cause,
      });
    },
  );
  const made: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const path = join('.chainlesschain', from.slice(folder.length + 1));
    if (await makeFile(ports, path, await readFile(from))) made.push(path);
  }
  return made.sort();
}
