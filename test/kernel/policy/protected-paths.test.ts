import { expect, test } from 'vitest';
import { isInGitDir, protectedPart } from '../../../src/kernel/policy/protected-paths.ts';

test.each([
  ['.git', '.git'],
  ['.git/hooks/pre-commit', '.git'],
  ['vendor/lib/.git/config', '.git'],
  ['.GIT/config', '.GIT'],
  ['.Git', '.Git'],
  ['.git /config', '.git '],
  ['.git./config', '.git.'],
  ['.git . ./config', '.git . .'],
  ['GIT~1/config', 'GIT~1'],
  ['git~2', 'git~2'],
  ['.git::$INDEX_ALLOCATION/config', '.git::$INDEX_ALLOCATION'],
  ['.g\u200cit/config', '.g\u200cit'],
  ['\ufeff.git/config', '\ufeff.git'],
  ['.g\u0131t/config', '.g\u0131t'],
  ['a\\.git\\config', '.git'],
  ['.chainlesschain/sessions/s1/plan.md', '.chainlesschain'],
  ['.ChainLessChain', '.ChainLessChain'],
  ['.chainle\u017f\u017fchain/config.yaml', '.chainle\u017f\u017fchain'],
  ['CHAINL~1/config.yaml', 'CHAINL~1'],
  ['.bashrc', '.bashrc'],
  ['home/ann/.ZSHRC', '.ZSHRC'],
  ['.profile', '.profile'],
  ['.config/fish/config.fish', 'config.fish'],
  ['Documents/PowerShell/Microsoft.PowerShell_profile.ps1', 'Microsoft.PowerShell_profile.ps1'],
])('%j is protected', (path, part) => {
  expect(protectedPart(path)).toBe(part);
});

test.each([
  '',
  '.gitignore',
  '.gitattributes',
  '.github/workflows/ci.yml',
  '.git2/config',
  'git/config',
  'my.git/config',
  '..git',
  '.husky/pre-commit',
  '.chainlesschain.example/config.yaml',
  'chainlesschain/a.ts',
  'bashrc',
  '.bashrc/readme.md',
  'src/profile.ts',
])('%j is not', (path) => {
  expect(protectedPart(path)).toBeUndefined();
});

test.each([
  ['/repo/.bare', '/repo/.bare/config', true],
  ['/repo/.bare', '/repo/.bare', true],
  ['/repo/.bare', '/repo/.BARE/config', true],
  ['/repo/.bare', '/repo/.barely/x', false],
  ['/repo/.bare', '/repo/src', false],
])('git folder %s, path %s: %s', (folder, path, expected) => {
  expect(isInGitDir(path, [folder])).toBe(expected);
});
