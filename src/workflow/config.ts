/** Settings of a person and of a project, and what each of them means. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as yaml from 'yaml';
import * as z from 'zod';
import { CcError } from '../kernel/base/errors.ts';
import { decodeUtf8, type FilePort, readPlain, writeThroughLink } from '../kernel/base/files.ts';
import { assertInside, assertNoLinks } from '../kernel/base/paths.ts';

/** Every key: its rule, its default, and the sentence that `cc config list` prints. */
export const CONFIG_KEYS = {
  'retries.max': {
    schema: z.int().min(0).max(100),
    fallback: 3,
    about: 'Failed verifications after an executor changed the tree, until the run stops',
    wanted: 'a whole number from 0 to 100',
    inProject: true,
  },
  'session.private': {
    schema: z.boolean(),
    fallback: false,
    about: 'Whether cc init keeps .chainlesschain/ out of git',
    wanted: 'true or false',
    inProject: false,
  },
  editor: {
    schema: z.string().min(1),
    fallback: '',
    about: 'The editor of cc ralplan --edit; without it VISUAL, then EDITOR',
    wanted: 'a command such as vim',
    inProject: false,
  },
} as const satisfies Record<string, ConfigKey>;

interface ConfigKey {
  readonly schema: z.ZodType<string | number | boolean>;
  readonly fallback: string | number | boolean;
  readonly about: string;
  /** What a refusal says that it takes. */
  readonly wanted: string;
  /** A project's file is somebody else's text: it may not steer what belongs to the person. */
  readonly inProject: boolean;
}

export type ConfigName = keyof typeof CONFIG_KEYS;
export type Config = {
  readonly [Name in ConfigName]: (typeof CONFIG_KEYS)[Name]['fallback'] extends boolean
    ? boolean
    : (typeof CONFIG_KEYS)[Name]['fallback'] extends number
      ? number
      : string;
};
export type Place = 'user' | 'project';

export interface ConfigPorts {
  readonly root: string;
  readonly home: string;
  readonly files: FilePort;
}

export interface Setting {
  readonly name: ConfigName;
  readonly value: string | number | boolean;
  readonly from: Place | 'default';
  readonly about: string;
}

/**
 * The project's file over the person's over the defaults.
 *
 * @throws {CcError} `CONFIG_INVALID` with file and line for an unknown key or a value that does not fit.
 */
export async function loadConfig(ports: ConfigPorts): Promise<Config> {
  const settings = await listSettings(ports);
  // `listSettings` gives one value for each key, judged by that key's own schema.
  return Object.fromEntries(settings.map(({ name, value }) => [name, value])) as Config;
}

export async function listSettings(ports: ConfigPorts): Promise<readonly Setting[]> {
  const user = await readSettings(ports, 'user');
  const project = await readSettings(ports, 'project');
  return configNames().map((name) => {
    const { about, fallback } = CONFIG_KEYS[name];
    const inProject = project.get(name);
    if (inProject !== undefined) return { name, about, value: inProject, from: 'project' };
    const inUser = user.get(name);
    if (inUser !== undefined) return { name, about, value: inUser, from: 'user' };
    return { name, about, value: fallback, from: 'default' };
  });
}

/**
 * Changes one line of a file, and keeps its comments and order.
 *
 * @returns The file, and the value as it was understood.
 * @throws {CcError} `REQUEST_INVALID` for an unknown key or a value that does not fit, `CONFIG_INVALID`
 *   when the file cannot be read.
 */
export async function setSetting(
  ports: ConfigPorts,
  place: Place,
  setting: { readonly name: string; readonly word: string },
): Promise<{ readonly path: string; readonly value: string | number | boolean }> {
  const { name, word } = setting;
  if (!isConfigName(name)) {
    const known = configNames().join(', ');
    throw new CcError('REQUEST_INVALID', `There is no setting "${name}"; there are ${known}`, {
      hint: 'cc config list',
    });
  }
  const value = valueOf(word);
  const parsed = CONFIG_KEYS[name].schema.safeParse(value);
  if (!parsed.success) {
    throw new CcError(
      'REQUEST_INVALID',
      `${name} takes ${CONFIG_KEYS[name].wanted}, not "${word}"`,
      {
        hint: 'cc config list',
      },
    );
  }
  if (place === 'project' && !CONFIG_KEYS[name].inProject) {
    throw new CcError('REQUEST_INVALID', `${name} is yours, not the project's`, {
      hint: `cc config set ${name} ${word}`,
    });
  }
  const path = configPath(ports, place);
  if (place === 'project') assertNoLinks(ports.root, path);
  await readSettings(ports, place);
  const text = (await readConfig(ports, place)) ?? '';
  const document = yaml.parseDocument(text.replaceAll('\r\n', '\n'));
  document.set(name, parsed.data);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  await ports.files.makeFolder(join(path, '..'));
  await writeThroughLink(ports.files, path, document.toString().replaceAll('\n', end));
  return { path, value: parsed.data };
}

/** As YAML reads it; a word that YAML cannot read, such as `[`, is a text. */
function valueOf(word: string): unknown {
  try {
    return yaml.parse(word);
  } catch {
    // Whether a text fits is said by the key's own rule.
    return word;
  }
}

export function configNames(): readonly ConfigName[] {
  // The keys of a constant are its names.
  return Object.keys(CONFIG_KEYS) as ConfigName[];
}

function isConfigName(name: string): name is ConfigName {
  return Object.hasOwn(CONFIG_KEYS, name);
}

function configPath({ root, home }: ConfigPorts, place: Place): string {
  return place === 'user'
    ? join(home, 'config.yaml')
    : join(root, '.chainlesschain', 'config.yaml');
}

/** `undefined` when there is none. A person may link theirs to where they keep such files; a project may not. */
async function readConfig(ports: ConfigPorts, place: Place): Promise<string | undefined> {
  const path = configPath(ports, place);
  if (place === 'project') await assertInside(ports.root, path);
  if (!existsSync(path)) return undefined;
  const bytes = await readPlain(path);
  if (bytes === undefined) throw invalid(path, 1, 'it is not a file');
  try {
    return decodeUtf8(bytes);
  } catch {
    throw invalid(path, 1, 'it is not UTF-8');
  }
}

async function readSettings(
  ports: ConfigPorts,
  place: Place,
): Promise<ReadonlyMap<string, string | number | boolean>> {
  const path = configPath(ports, place);
  const text = await readConfig(ports, place);
  if (text === undefined) return new Map();
  const counter = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: counter });
  const [fault] = document.errors;
  if (fault !== undefined) throw invalid(path, counter.linePos(fault.pos[0]).line, fault.message);
  if (document.contents === null) return new Map();
  if (!yaml.isMap(document.contents)) throw invalid(path, 1, 'it is not a list of keys');
  const found = new Map<string, string | number | boolean>();
  for (const { key, value } of document.contents.items) {
    const name = yaml.isScalar(key) ? String(key.value) : '';
    const line = yaml.isScalar(key) && key.range ? counter.linePos(key.range[0]).line : 1;
    if (!isConfigName(name)) throw invalid(path, line, `there is no setting "${name}"`);
    if (place === 'project' && !CONFIG_KEYS[name].inProject) {
      throw invalid(path, line, `a project may not set "${name}"`);
    }
    const parsed = CONFIG_KEYS[name].schema.safeParse(
      yaml.isScalar(value) ? value.value : undefined,
    );
    if (!parsed.success) {
      throw invalid(path, line, `${name} takes ${CONFIG_KEYS[name].wanted}`);
    }
    found.set(name, parsed.data);
  }
  return found;
}

function invalid(path: string, line: number, problem: string): CcError {
  // Every command reads this file, so none of them helps.
  return new CcError('CONFIG_INVALID', `${path}:${line}: ${problem}`, {
    hint: `\${EDITOR:-vi} +${line} '${path}'`,
  });
}
