/** Which shell runs commands here, and how it is called. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

export interface Shell {
  readonly kind: 'bash' | 'sh' | 'powershell';
  /** For people and models; `path` is for diagnosis only. */
  readonly label: string;
  /** Absolute. */
  readonly path: string;
}

const CANDIDATES = [
  { kind: 'bash', label: 'Bash', programs: ['bash'] },
  { kind: 'sh', label: 'POSIX sh', programs: ['sh'] },
  { kind: 'powershell', label: 'PowerShell', programs: ['pwsh', 'powershell'] },
] as const;

const found = new Map<string, Promise<Shell | undefined>>();

/**
 * Bash, else sh, else PowerShell, by the `PATH` of `env`; `undefined` where there is none. Looked up once
 * per process and `PATH`. Relative entries of `PATH` do not count: they would mean another program in
 * every folder.
 */
export function findShell(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Shell | undefined> {
  const path = env['PATH'] ?? env['Path'] ?? '';
  const known = found.get(path) ?? lookUp(path);
  found.set(path, known);
  return known;
}

/** Arguments that make a shell run `command` and read no startup file. */
export function shellArguments(
  shell: Shell,
  command: string,
  pipefail: boolean,
): readonly string[] {
  if (shell.kind === 'powershell') {
    return ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command];
  }
  if (shell.kind === 'sh') return ['-c', command];
  // Without `--norc` some builds read ~/.bashrc when they believe to be called over ssh.
  const start = ['--noprofile', '--norc'];
  return pipefail ? [...start, '-o', 'pipefail', '-c', command] : [...start, '-c', command];
}

async function lookUp(path: string): Promise<Shell | undefined> {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  for (const { kind, label, programs } of CANDIDATES) {
    for (const file of folders.flatMap((folder) => filesFor(folder, programs))) {
      if (await isProgram(file)) return { kind, label, path: file };
    }
  }
  return undefined;
}

function filesFor(folder: string, programs: readonly string[]): string[] {
  if (platform() !== 'win32') return programs.map((name) => join(folder, name));
  // The `bash.exe` of these folders starts a Linux machine, which sees other paths.
  const isForeign = /\\(?:system32|windowsapps)\\?$/i.test(folder);
  const names = isForeign ? programs.filter((name) => name !== 'bash') : programs;
  return names.map((name) => join(folder, `${name}.exe`));
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Missing and not executable are the same here.
    return false;
  }
}
