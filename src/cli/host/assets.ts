/** Files that are shipped beside the program. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @param name A folder of the package, such as `templates`. */
export function assetFolder(name: string): string {
  // The program is `dist/chunks/*.cjs` when built and `src/cli/host/*.ts` in tests: the package is above.
  const here = typeof __dirname === 'string' ? __dirname : import.meta.dirname;
  for (let folder = here; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, name))) {
      return join(folder, name);
    }
    if (dirname(folder) === folder) return join(here, name);
  }
}
