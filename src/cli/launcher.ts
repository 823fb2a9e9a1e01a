#!/usr/bin/env node
// The first code of every start, and the only code that an old Node parses: syntax of 2017, and nothing
// is imported before it is known to be needed.

/** Put in by the build. */
declare const CC_VERSION: string;

const MINIMUM_MAJOR = 20;
const MINIMUM_MINOR = 19;
/** As for any other fault of configuration. */
const EXIT_CONFIGURATION = 6;

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < MINIMUM_MAJOR || (major === MINIMUM_MAJOR && minor < MINIMUM_MINOR);
}

function isVersionCall([only, ...others]: readonly string[]): boolean {
  return others.length === 0 && (only === '--version' || only === '-V');
}

/** A damaged installation ends here; what commands do wrong is told by `bin.ts`. */
function reportFault(thrown: unknown): void {
  const told = thrown instanceof Error ? thrown.stack || thrown.message : String(thrown);
  process.stderr.write(`RUNTIME_INTERNAL_ERROR: ${told}\n`);
  process.exitCode = 1;
}

function start(): void {
  import('./code-cache.ts')
    .then(({ installCodeCache }) => {
      installCodeCache(__dirname);
      return import('./bin.ts');
    })
    .then(({ run }) => run())
    .catch(reportFault);
}

if (isVersionCall(process.argv.slice(2))) {
  // A reader that went away is no fault: `cc --version | true`.
  process.stdout.on('error', () => undefined);
  process.stdout.write(`${CC_VERSION}\n`);
} else if (isTooOld(process.versions.node)) {
  const found = `cc needs Node ${MINIMUM_MAJOR}.${MINIMUM_MINOR} or newer; this is ${process.versions.node}`;
  process.stderr.write(`CONFIG_INVALID: ${found}\n`);
  process.exitCode = EXIT_CONFIGURATION;
} else {
  start();
}
