/** `cc` with a file port that ends its own process at an operation. Bundled by `crash-lab.ts`, not run from here. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { installCodeCache } from '../../src/cli/code-cache.ts';
import type { Operation } from './counted-files.ts';

/**
 * In front of the arguments, because variables would reach the checks: what to do at the operations, and the
 * folder that holds `project` and `home`.
 *
 * `before 7` and `after 7` kill; `images` copies project and home around each operation, which is what a kill
 * at that moment would leave; empty lets it end.
 */
const [at = '', base = ''] = process.argv.splice(2, 2);
/** The process may be gone before a promise of its own goes on. */
const NEVER = new Promise<never>(() => undefined);

function atOperation(side: 'before' | 'after', { number, name, path }: Operation) {
  if (side === 'before') appendFileSync(`${base}/trace`, `${number} ${name} ${path}\n`);
  if (at === 'images' || at === `images ${side}`) {
    const image = `${base}/images/${side} ${number}`;
    mkdirSync(image, { recursive: true });
    execFileSync('cp', ['-a', `${base}/project`, `${base}/home`, image]);
  }
  if (at !== `${side} ${number}`) return undefined;
  process.kill(process.pid, 'SIGKILL');
  return NEVER;
}

async function start(): Promise<void> {
  installCodeCache(__dirname);
  const [{ main }, { countedFiles }, { nodeFiles }, { CcError }] = await Promise.all([
    import('../../src/cli/main.ts'),
    import('./counted-files.ts'),
    import('../../src/kernel/base/node-files.ts'),
    import('../../src/kernel/base/errors.ts'),
  ]);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const reason = new CcError('REQUEST_CANCELLED', `Cancelled by ${signal}`, {
      details: { signal },
    });
    process.once(signal, () => stop.abort(reason));
  }
  process.exitCode = await main(process.argv.slice(2), {
    cwd: process.cwd(),
    home: process.env['HOME'] ?? '',
    env: process.env,
    files: countedFiles(nodeFiles, {
      before: (operation) => atOperation('before', operation),
      after: (operation) => atOperation('after', operation),
    }),
    clock: {
      now: () => new Date(),
      every(ms, work) {
        const timer = setInterval(work, ms).unref();
        return () => clearInterval(timer);
      },
    },
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isTerminal: { stdout: false, stderr: false },
    columns: undefined,
    prompter: undefined,
    readInput: async () => '',
    handOver: async () => 127,
    signal: stop.signal,
    readerGone: new AbortController().signal,
  });
}

void start();
