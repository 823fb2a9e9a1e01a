/** Settings of a person and of a project, and what each of them means. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as yaml from 'yaml';
import * as z from 'zod';
import { CcError } from '../kernel/base/errors.ts';
import { type FilePort, ignoring, writeTextAtomic } from '../kernel/base/files.ts';

/** Every key: its rule, its default, and the sentence that `cc config list` prints. */
export const CONFIG_KEYS = {
  'retries.max': {
    schema: z.int().min(0).max(100),
    fallback: 3,
    about: 'Failed verifications after an executor changed the tree, until the run stops',
    inProject: true,
  },
  'session.private': {
    schema: z.boolean(),
    fallback: false,
    about: 'Whether cc init keeps .chainlesschain/ out of git',
    inProject: false,
  },
  editor: {
    schema: z.string().min(1),
    fallback: '',
    about: 'The editor of cc ralplan --edit; without it VISUAL, then EDITOR',
    inProject: false,
  },
} as const satisfies Record<string, ConfigKey>;

interface ConfigKey {
  readonly schema: z.ZodType<string | number | boolean>;
  readonly fallback: string | number | boolean;
  readonly about: string;
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
  const user = await readSettings(configPath(ports, 'user'), 'user');
  const project = await readSettings(configPath(ports, 'project'), 'project');
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
 * @throws {CcError} `REQUEST_INVALID` for an unknown key or a value that does not fit, `CONFIG_INVALID`
 *   when the file cannot be read.
 */
export async function setSetting(
  ports: ConfigPorts,
  place: Place,
  setting: { readonly name: string; readonly word: string },
): Promise<string> {
  const { name, word } = setting;
  if (!isConfigName(name)) {
    const known = configNames().join(', ');
    throw new CcError('REQUEST_INVALID', `There is no setting "${name}"; there are ${known}`, {
      hint: 'cc config list',
    });
  }
  const value: unknown = yaml.parse(word);
  const parsed = CONFIG_KEYS[name].schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new CcError('REQUEST_INVALID', `${name}: ${issue?.message ?? 'it does not fit'}`, {
      hint: 'cc config list',
    });
  }
  if (place === 'project' && !CONFIG_KEYS[name].inProject) {
    throw new CcError('REQUEST_INVALID', `${name} is yours, not the project's`, {
      hint: `cc config set ${name} ${word}`,
    });
  }
  const path = configPath(ports, place);
  await readSettings(path, place);
  const text = (await readFile(path, 'utf8').catch(ignoring('ENOENT'))) ?? '';
  const document = yaml.parseDocument(text);
  document.set(name, parsed.data);
  await ports.files.makeFolder(join(path, '..'));
  await writeTextAtomic(ports.files, path, document.toString());
  return path;
}

function configNames(): readonly ConfigName[] {
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

async function readSettings(
  path: string,
  place: Place,
): Promise<ReadonlyMap<string, string | number | boolean>> {
  const text = await readFile(path, 'utf8').catch(ignoring('ENOENT', 'ENOTDIR'));
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
      throw invalid(path, line, `${name}: ${parsed.error.issues[0]?.message ?? 'it does not fit'}`);
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
