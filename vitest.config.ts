import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const UNIT_TIMEOUT_MS = 20_000;
const SYSTEM_TIMEOUT_MS = 60_000;
const SOAK_TIMEOUT_MS = 600_000;

function project(name: string, include: readonly string[], timeoutMs: number) {
  return {
    extends: true as const,
    test: { name, include: [...include], testTimeout: timeoutMs, hookTimeout: timeoutMs },
  };
}

const unit = project('unit', ['test/**/*.test.ts'], UNIT_TIMEOUT_MS);

export default defineConfig({
  define: { CC_VERSION: JSON.stringify(version) },
  test: {
    // Tests change folders, signals and environments of whole processes.
    pool: 'forks',
    // Most of a test's time goes by in the processes that it waits for.
    maxWorkers: 4,
    // On a busy CI machine a limit of time may be missed by chance; what fails twice is broken.
    retry: process.env['CI'] === undefined ? 0 : 1,
    globalSetup: ['test/support/global-setup.ts'],
    projects: [
      {
        ...unit,
        test: { ...unit.test, exclude: ['test/system/**', 'test/soak/**', 'test/crash/**'] },
      },
      project('crash', ['test/crash/**/*.test.ts'], SOAK_TIMEOUT_MS),
      project('system', ['test/system/**/*.test.ts'], SYSTEM_TIMEOUT_MS),
      project('soak', ['test/soak/**/*.test.ts'], SOAK_TIMEOUT_MS),
    ],
  },
});
