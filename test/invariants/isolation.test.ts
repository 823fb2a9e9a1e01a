import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';

test('tests run in a home of their own', () => {
  const home = homedir();
  expect(basename(dirname(home))).toMatch(/^cc-tests-/);
  // Beside the folder for temporary files, so that both go at once.
  expect(dirname(realpathSync(tmpdir()))).toBe(dirname(home));
  const folders = ['CHAINLESSCHAIN_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME'];
  for (const name of folders) {
    const folder = process.env[name] ?? '';
    expect(folder.startsWith(`${home}/`), name).toBe(true);
    expect(existsSync(folder), name).toBe(true);
  }
});

test.each([
  ['CI'],
  ['NO_COLOR'],
  ['FORCE_COLOR'],
  ['NODE_EXTRA_CA_CERTS'],
  ['CC_SESSION'],
  ['GIT_DIR'],
])('%s is not set', (name) => {
  expect(process.env[name]).toBeUndefined();
});

test('git and the clock are the same for everybody', () => {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: tmpdir(), encoding: 'utf8' }).trim();
  expect(git('config', 'user.email')).toBe('ann@example.com');
  expect(git('config', 'init.defaultBranch')).toBe('main');
  expect(new Date(0).getTimezoneOffset()).toBe(0);
});
