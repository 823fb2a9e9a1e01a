/** Hands a call of the C compiler over to the one that this program stands in front of. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runInTerminal } from '../kernel/base/processes.ts';

/** As shells tell that there is no such program. */
const NOT_FOUND_EXIT = 127;
/** Programs that had the call already: no two of them, and no wrapper of ours, pass it to and fro. */
const SEEN = 'CHAINLESSCHAIN_CC_SEEN';

/** @returns The compiler's exit status; 127 when there is none. */
export async function callCompiler(program: string, argv: readonly string[]): Promise<number> {
  const { env } = process;
  const seen = [...(env[SEEN]?.split(delimiter) ?? []), realpathSync(program)];
  const compiler = nextOnPath(env['PATH'] ?? '', seen);
  if (compiler === undefined) {
    process.stderr.write(
      'cc: this is a call of the C compiler, and no other cc is on PATH\nNext: clc --help\n',
    );
    return NOT_FOUND_EXIT;
  }
  env[SEEN] = [...seen, realpathSync(compiler)].join(delimiter);
  return runInTerminal(compiler, argv, 'stdout');
}

/** The first `cc` that is none of these files. */
function nextOnPath(path: string, seen: readonly string[]): string | undefined {
  const found = path.split(delimiter).map((folder) => join(folder === '' ? '.' : folder, 'cc'));
  return found.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile() && !seen.includes(realpathSync(file));
    } catch {
      // Not there, or not a program.
      return false;
    }
  });
}
