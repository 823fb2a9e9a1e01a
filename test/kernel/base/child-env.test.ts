import { expect, test } from 'vitest';
import { childEnv } from '../../../src/kernel/base/child-env.ts';

const namesOf = (env: Readonly<Record<string, string>>) =>
  Object.keys(childEnv(env, { marker: 'm' })).filter((name) => name in env);

test.each([
  ['ours', ['CC_API_KEY', 'CC_SEAL_KEY', 'CC_BASE_URL']],
  ['the usual keys', ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY']],
  ['longer names', ['GOOGLE_GENERATIVE_AI_API_KEY', 'AZURE_OPENAI_API_KEY', 'VITE_OPENAI_API_KEY']],
  ['more providers', ['MISTRAL_API_KEY', 'GROQ_API_KEY', 'XAI_API_KEY', 'OPENROUTER_API_KEY']],
  [
    'Chinese providers',
    ['DASHSCOPE_API_KEY', 'MOONSHOT_API_KEY', 'ZHIPU_API_KEY', 'ZHIPUAI_API_KEY'],
  ],
  ['other words for a key', ['ANTHROPIC_AUTH_TOKEN', 'REPLICATE_API_TOKEN', 'OPENAI_ADMIN_KEY']],
  ['small letters', ['openai_api_key']],
  ['what a shell reads first', ['BASH_ENV', 'ENV', 'SHELLOPTS', 'CDPATH']],
  ['another repository', ['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_WORK_TREE', 'GIT_CONFIG_PARAMETERS']],
])('keeps back %s', (_title, names) => {
  const env = Object.fromEntries(names.map((name) => [name, 'secret']));

  expect(namesOf(env)).toEqual([]);
});

test('passes on what programs need', () => {
  const names = [
    'PATH',
    'HOME',
    'LANG',
    'LC_ALL',
    'HTTPS_PROXY',
    'no_proxy',
    'TMPDIR',
    'CC_SESSION',
  ];
  const credentials = [
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'STRIPE_API_KEY',
    'GOOGLE_MAPS_API_KEY',
  ];
  const alike = [
    'TOKENIZERS_PARALLELISM',
    'OPENAI_MODEL',
    'KEYS',
    'GIT_AUTHOR_NAME',
    'GIT_CONFIG_COUNT',
  ];
  const env = Object.fromEntries([...names, ...credentials, ...alike].map((name) => [name, name]));

  expect(childEnv(env, { marker: 'm' })).toMatchObject(env);
});

test('tells programs that nobody is there to answer', () => {
  expect(childEnv({ PAGER: 'less', EDITOR: 'vim', CI: 'false' }, { marker: 'm' })).toMatchObject({
    CI: '1',
    CC_RUN: '1',
    CC_RUN_MARKER: 'm',
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    MANPAGER: 'cat',
    EDITOR: 'false',
    VISUAL: 'false',
    GIT_EDITOR: 'false',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    DEBIAN_FRONTEND: 'noninteractive',
  });
});

test.each([
  ['--inspect', undefined],
  ['--inspect-brk=127.0.0.1:9229', undefined],
  [
    '--max-old-space-size=512 --inspect=0 --require ./x.js',
    '--max-old-space-size=512 --require ./x.js',
  ],
  ['--no-inspector-thing', '--no-inspector-thing'],
])('NODE_OPTIONS %s becomes %s', (options, expected) => {
  expect(childEnv({ NODE_OPTIONS: options }, { marker: 'm' })['NODE_OPTIONS']).toBe(expected);
});

test('what the plan sets wins, except over the marks of a run', () => {
  const extra = { EDITOR: 'ed', OPENAI_API_KEY: 'for the test', CC_RUN: '', CC_RUN_MARKER: 'x' };

  expect(childEnv({}, { marker: 'm', extra })).toMatchObject({
    EDITOR: 'ed',
    OPENAI_API_KEY: 'for the test',
    CC_RUN: '1',
    CC_RUN_MARKER: 'm',
  });
});

test('a run inside a run carries both marks', () => {
  const outer = childEnv({}, { marker: 'outer' });

  expect(childEnv(outer, { marker: 'inner' })['CC_RUN_MARKER']).toBe('outer/inner');
});
