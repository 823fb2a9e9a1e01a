import { CcError } from '../../kernel/base/errors.ts';
import { listSettings, setSetting } from '../../workflow/config.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../options.ts';

export const command = defineCommand({
  name: 'config',
  positionals: '[action] [key] [value]',
  about:
    'config list shows every setting; config get <key> one; config set <key> <value> changes one.',
  examples: ['cc config list', 'cc config set retries.max 5 --project'],
  actions: {
    list: {
      about: 'Every setting with its value, where that is from, and what it means.',
      examples: ['cc config list'],
    },
    get: {
      positionals: '<key>',
      about: 'The value alone, for scripts.',
      examples: ['cc config get retries.max'],
    },
    set: {
      positionals: '<key> <value>',
      about: 'Changes one line of config.yaml, yours or with --project that of the project.',
      examples: ['cc config set retries.max 5', 'cc config set retries.max 5 --project'],
    },
  },
  options: { project: flag("With set: in the project's config.yaml instead of yours") },

  async run({ args, words, host, out }) {
    const [action = 'list', key, value] = words;
    const ports = { root: host.root, home: host.home, files: host.files };
    if (action === 'set' && key !== undefined && value !== undefined) {
      const place = args.project ? 'project' : 'user';
      const { path, value: read } = await setSetting(ports, place, { name: key, word: value });
      return out.done({
        value: { key, value: read, file: path },
        text: `${key}: ${value}\nwrote ${path}`,
        next: 'cc config list',
      });
    }
    const settings = await listSettings(ports);
    if (action === 'list' && key === undefined) {
      const lines = settings.map(
        ({ name, value: now, from, about }) => `${name}: ${shown(now)} (${from})\n  ${about}`,
      );
      const next = 'cc config set <key> <value>';
      return out.done({ value: { settings }, text: lines.join('\n'), next });
    }
    if (action === 'get' && key !== undefined && value === undefined) {
      const found = settings.find(({ name }) => name === key);
      if (found !== undefined) return out.done({ value: found, text: String(found.value) });
      throw new CcError('REQUEST_INVALID', `There is no setting "${key}"`, {
        hint: 'cc config list',
      });
    }
    throw new CcError('REQUEST_INVALID', 'Say list, get <key> or set <key> <value>', {
      hint: 'cc config --help',
    });
  },
});

function shown(value: string | number | boolean): string {
  return value === '' ? 'none' : String(value);
}
