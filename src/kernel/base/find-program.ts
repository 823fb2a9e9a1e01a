/** Which file a program's name means, so that a repository cannot slip in its own. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { isInside } from './paths.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The first program of that name on the `PATH` of `env`. Relative entries do not count, nor do those below the
 * project around `cwd`: what lies there belongs to whoever wrote the project.
 *
 * @param file A name; a path stays as it is.
 * @returns Absolute; `undefined` when there is none.
 */
export function findProgram(file: string, env: Env, cwd: string): string | undefined {
  if (file.includes('/') || file.includes(sep)) return file;
  const name = platform() === 'win32' ? `${file}.exe` : file;
  const project = projectAround(real(cwd), env['HOME']);
  return (env['PATH'] ?? env['Path'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(project, real(folder)))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** The repository around a folder, unless that is the person's home; else the folder itself. */
function projectAround(folder: string, home: string | undefined): string {
  const end = home === undefined ? undefined : real(home);
  for (let at = folder; at !== end && dirname(at) !== at; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
  }
  return folder;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Missing and not executable are the same here.
    return false;
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
