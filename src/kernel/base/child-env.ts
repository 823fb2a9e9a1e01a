/** The environment of everything that `cc` starts. Pure. */

type Env = Readonly<Record<string, string | undefined>>;

/** Names that lead to a model's account wherever they stand in a variable's name. */
const PROVIDERS = [
  'OPENAI|ANTHROPIC|CLAUDE|GEMINI|GENAI|GENERATIVE_AI|MISTRAL|CODESTRAL|GROQ|DEEPSEEK|OPENROUTER|XAI|GROK',
  'COHERE|TOGETHER|TOGETHERAI|TOGETHER_AI|FIREWORKS|FIREWORKS_AI|PERPLEXITY|PERPLEXITYAI|CEREBRAS',
  'DEEPINFRA|SAMBANOVA|NOVITA|HYPERBOLIC|REPLICATE|HUGGINGFACE|AI_GATEWAY|LITELLM|OLLAMA|LLM|AI21|UPSTAGE',
  'DASHSCOPE|QWEN|BAILIAN|MOONSHOT|KIMI|ZHIPU|ZHIPUAI|BIGMODEL|GLM|ZAI|SILICONFLOW|MINIMAX|BAICHUAN',
  'STEPFUN|VOLCENGINE|DOUBAO|HUNYUAN|QIANFAN|MODELSCOPE|AZURE_AI|AZURE_INFERENCE|WATSONX|VOYAGE|JINA',
].join('|');
const PROVIDER_SECRET = new RegExp(
  `(?:^|_)(?:${PROVIDERS})_(?:\\w+_)?(?:KEYS?|TOKENS?|SECRETS?|CUSTOM_HEADERS)$`,
);

/** Their first word means other things too (`GOOGLE_MAPS_API_KEY`), so only the whole name counts. */
const SECRETS = new Set([
  'CC_API_KEY',
  'CC_SEAL_KEY',
  'CC_BASE_URL',
  'GOOGLE_API_KEY',
  'NVIDIA_API_KEY',
  'CO_API_KEY',
  'ARK_API_KEY',
  'YI_API_KEY',
  'PPLX_API_KEY',
  'AZURE_API_KEY',
  'API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
]);

/** What a shell would run or obey before the command, and what ties a process to our own debugger or parent. */
const STARTUP = new Set([
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'CDPATH',
  'PROMPT_COMMAND',
  'VSCODE_INSPECTOR_OPTIONS',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_UNIQUE_ID',
]);

/**
 * Set while git runs a hook or an alias, they would point a child at that repository whatever folder it is
 * in. `GIT_CONFIG_COUNT` stays: machines grant `safe.directory` with it.
 */
const GIT_LOCAL = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_CONFIG',
  'GIT_CONFIG_PARAMETERS',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_REPLACE_REF_BASE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
]);

/**
 * Nobody is there to answer: pagers print, editors and prompts fail. ssh has no terminal to ask on, so
 * `GIT_SSH_COMMAND` is left alone: it would take the place of a `core.sshCommand` with the right key.
 */
const UNATTENDED: Readonly<Record<string, string>> = {
  CI: '1',
  CC_RUN: '1',
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GH_PAGER: 'cat',
  AWS_PAGER: '',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  SUDO_ASKPASS: '/bin/false',
  GH_PROMPT_DISABLED: '1',
  DEBIAN_FRONTEND: 'noninteractive',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  npm_config_update_notifier: 'false',
  PIP_NO_INPUT: '1',
  POETRY_NO_INTERACTION: '1',
  COMPOSER_NO_INTERACTION: '1',
};

/** The variable by which everything that a run started is found again. */
export const MARKER_VARIABLE = 'CC_RUN_MARKER';

export interface ChildEnvOptions {
  /** Names one run. No `/` and no NUL. */
  readonly marker: string;
  /** Set by the plan or the person for this child. Wins over all but `CC_RUN` and the marker. */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * The environment for a shell, a check, a hook or a member. `PATH`, `HOME`, locale and proxies stay, and so do
 * the credentials of other tools (`GH_TOKEN`, `NPM_TOKEN`): a person's scripts need them, and they do not
 * lead to a model. What leads to one is gone (keys of providers, `CC_API_KEY`, `CC_BASE_URL`), and so is the
 * key that seals an approval.
 *
 * `CC_RUN=1` marks everything below: there `cc` refuses what only a person may do. Inside another run the
 * marker becomes `<outer>/<marker>`, so that ending the outer run finds the inner one's children too.
 */
export function childEnv(env: Env, options: ChildEnvOptions): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || isKeptBack(name.toUpperCase())) continue;
    const kept = name.toUpperCase() === 'NODE_OPTIONS' ? withoutInspector(value) : value;
    if (kept !== '' || value === '') result[name] = kept;
  }
  const outer = env[MARKER_VARIABLE];
  const marker =
    outer === undefined || outer === '' ? options.marker : `${outer}/${options.marker}`;
  return { ...result, ...UNATTENDED, ...options.extra, CC_RUN: '1', [MARKER_VARIABLE]: marker };
}

function isKeptBack(name: string): boolean {
  return (
    SECRETS.has(name) || PROVIDER_SECRET.test(name) || STARTUP.has(name) || GIT_LOCAL.has(name)
  );
}

/** A child that waits for a debugger never ends. */
function withoutInspector(options: string): string {
  return options.replaceAll(/(?:^|\s)--(?:inspect|debug)[\w-]*(?:=\S*)?(?=\s|$)/g, '').trim();
}
