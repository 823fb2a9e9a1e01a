/** Paths that no tool writes, in any mode. Pure: names only; `policy.ts` follows the links first. */
import { isInside } from '../base/paths.ts';

/** What somebody else runs without being asked: git, `cc` itself, the person's next shell. */
const PROTECTED_FOLDERS = new Set(['.git', '.chainlesschain']);

/** Made by Windows for programs that know eight letters: another name of the same folder. */
const SHORT_NAMES = /^(?:git|chainl)~\d+$/;

const SHELL_FILES = new Set([
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.logout',
  'config.fish',
  'profile.ps1',
  'microsoft.powershell_profile.ps1',
]);

/** Code points that HFS+ leaves out when it compares names. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * The part of a path that makes it protected, as it was written, or `undefined`.
 *
 * @param path Relative to the workspace, which may itself lie in a folder of such a name.
 */
export function protectedPart(path: string): string | undefined {
  // A backslash separates on Windows only; refusing such a name elsewhere costs nobody anything.
  const parts = path.split(/[\\/]/);
  const folder = parts.find((part) => {
    const name = nameOnDisk(part);
    return PROTECTED_FOLDERS.has(name) || SHORT_NAMES.test(name);
  });
  if (folder !== undefined) return folder;
  const last = parts.at(-1) ?? '';
  return SHELL_FILES.has(nameOnDisk(last)) ? last : undefined;
}

/**
 * Whether a path lies in one of the git folders that are not called `.git`: of a linked worktree, of a
 * submodule, of a repository with a pointer file.
 *
 * @param path Absolute, links followed, as are `gitDirs`.
 */
export function isInGitDir(path: string, gitDirs: readonly string[]): boolean {
  return gitDirs.some((folder) => isInside(foldCase(folder), foldCase(path)));
}

/** The name that the most lenient file system would open. */
function nameOnDisk(part: string): string {
  const withoutStream = part.replace(/:.*$/s, '');
  return foldCase(withoutStream.replace(IGNORED_BY_HFS, '')).replace(/[ .]+$/, '');
}

/** Upper case first: file systems that fold case take a long `ſ` for an `s`. */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}
