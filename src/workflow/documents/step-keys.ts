/** The words with which a bullet under a step is a key. */

export const STEP_KEYS = [
  'id',
  'kind',
  'role',
  'scope',
  'after',
  'verify',
  'done when',
  'criteria',
  'allow',
  'network',
  'cwd',
  'timeout',
  'budget',
] as const;
export type StepKey = (typeof STEP_KEYS)[number];

/** Other spellings. Case, spaces, dashes and underscores in a key never count. */
export const SYNONYMS: Readonly<Record<StepKey, readonly string[]>> = {
  id: ['标识'],
  kind: ['type', '类型'],
  role: ['角色'],
  scope: ['file', 'files', 'path', 'paths', '范围', '文件', '路径'],
  after: ['depends', 'depends on', '依赖', '依赖于', '前置步骤'],
  verify: [
    'check',
    'checks',
    'test',
    'tests',
    'verify command',
    'check command',
    'test command',
    '验证',
    '检查',
    '校验',
    '测试',
    '验证命令',
    '检查命令',
    '测试命令',
  ],
  'done when': ['完成条件', '完成标准'],
  criteria: ['criterion', 'acceptance', 'acceptance criteria', 'ac', '标准', '验收标准'],
  allow: ['允许'],
  network: ['网络'],
  cwd: ['working directory', '目录'],
  timeout: ['超时'],
  budget: ['预算'],
};

/** May mean a check, and may mean something to be run: nobody guesses about that. */
const UNCLEAR: ReadonlyMap<string, StepKey> = new Map([
  ['command', 'verify'],
  ['commands', 'verify'],
  ['cmd', 'verify'],
  ['命令', 'verify'],
]);

/** Words that begin a remark, and are no attempt at a key. */
const REMARKS: ReadonlySet<string> = new Set([
  ...['note', 'notes', 'nb', 'hint', 'tip', 'todo', 'example', 'warning', 'why', 'reason', 'see'],
  ...['注意', '备注', '说明', '提示', '例如', '示例', '原因', '参见', '警告'],
]);

const KEY_BY_WORD: ReadonlyMap<string, StepKey> = new Map(
  STEP_KEYS.flatMap((key) => [key, ...SYNONYMS[key]].map((word) => [squeezed(word), key] as const)),
);

export type KeyGuess =
  | { readonly kind: 'key'; readonly key: StepKey }
  /** Not a key, but so near to one that the person should be told. */
  | { readonly kind: 'near'; readonly key: StepKey };

/** What a person meant by the words in front of a colon; `undefined` is prose. */
export function guessKey(words: string): KeyGuess | undefined {
  const word = squeezed(words);
  const key = KEY_BY_WORD.get(word);
  if (key !== undefined) return { kind: 'key', key };
  const unclear = UNCLEAR.get(word);
  if (unclear !== undefined) return { kind: 'near', key: unclear };
  if (!/^[a-z]{3,20}$/.test(word)) return undefined;

  let best: { readonly key: StepKey; readonly distance: number } | undefined;
  for (const [known, meant] of KEY_BY_WORD) {
    if (!/^[a-z]{3,}$/.test(known)) continue;
    const distance = editDistance(word, known);
    if (distance > allowedDistance(word, known) || distance >= (best?.distance ?? 3)) continue;
    best = { key: meant, distance };
  }
  return best === undefined ? undefined : { kind: 'near', key: best.key };
}

/** One or two words in front of a colon, as a key has them; in Chinese up to six characters. */
export function looksLikeKey(words: string, value: string): boolean {
  if (REMARKS.has(squeezed(words)) || !/^\s*[^\s/\\]/.test(value)) return false;
  const isChinese = /\p{Script=Han}/u.test(words);
  return isChinese ? squeezed(words).length <= 6 : words.trim().split(/[\s_-]+/).length <= 2;
}

/** Two slips in a word of four letters make another word (`note` is no `role`). */
function allowedDistance(word: string, known: string): number {
  const shorter = Math.min(word.length, known.length);
  if (shorter >= 6) return 2;
  return shorter === 5 && word[0] === known[0] ? 2 : 1;
}

function squeezed(words: string): string {
  return words.toLowerCase().replace(/[\s_-]+/g, '');
}

/** Letters inserted, left out, replaced or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + cost,
        isSwap && row > 1 && column > 1 ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
