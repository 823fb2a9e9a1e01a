// What a user downloads and keeps.
import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of the file that `npm publish` would send. */
export function tarballBytes(root) {
  // `prepack` would speak on stdout; the caller has built already.
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const told = execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(told)[0].size;
}

/** Bytes of the packages that `npm ci --omit=dev` would install, as they lie here. */
export async function productionBytes(root) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const folders = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path]) => join(root, path));
  const sizes = await Promise.all(folders.map(folderBytes));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Packages inside a package are counted by their own entry. */
async function folderBytes(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let sum = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile()) sum += (await stat(path)).size;
    else if (entry.isDirectory() && entry.name !== 'node_modules') sum += await folderBytes(path);
  }
  return sum;
}
