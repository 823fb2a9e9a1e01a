/** Sentences of the interview in the language of the request. */
import type { Slot } from './interview-model.ts';
import type { RequestLanguage } from './request-language.ts';

interface Texts {
  readonly questions: Readonly<Record<Slot, { readonly text: string; readonly why: string }>>;
  /** Heads of clarifications. */
  readonly labels: Readonly<Record<Slot, string>>;
  readonly wholeProject: string;
  readonly none: string;
  readonly request: string;
  readonly from: (text: string, source: string) => string;
  readonly recommended: (text: string) => string;
  readonly criterion: (command: string | undefined, goal: string | undefined) => string | undefined;
  readonly outside: (scope: string | undefined) => string;
  readonly rollback: string;
  readonly assumed: {
    readonly scopeNamed: (paths: string) => string;
    readonly scope: (scope: string | undefined) => string;
    readonly criterion: (command: string | undefined) => string;
    readonly 'non-goals': string;
    readonly constraints: string;
  };
  readonly leftOut: (lines: number) => string;
}

const EN: Texts = {
  questions: {
    goal: {
      text: 'What should be different when this is done?',
      why: 'The request does not say what to change.',
    },
    scope: {
      text: 'Which files or folders may be changed?',
      why: 'The request names no file or folder, and the plan may change only what is in scope.',
    },
    criterion: {
      text: 'How will you see that it is done?',
      why: 'Done means that something was checked, so one criterion is needed.',
    },
    'non-goals': {
      text: 'What must not be touched?',
      why: 'The request contains words that stand for risk.',
    },
    constraints: {
      text: 'What must keep working, and how is the change undone if it goes wrong?',
      why: 'The request contains words that stand for risk.',
    },
  },
  labels: {
    goal: 'Goal?',
    scope: 'Scope?',
    criterion: 'Done when?',
    'non-goals': 'Non-goals?',
    constraints: 'Constraints?',
  },
  wholeProject: 'the whole project',
  none: 'none',
  request: 'the request',
  from: (text, source) => `${text} (from ${source})`,
  recommended: (text) => `(recommended: ${text})`,
  criterion(command, goal) {
    if (command === undefined) return goal === undefined ? undefined : `This works: ${goal}`;
    return goal === undefined
      ? `\`${command}\` passes`
      : `\`${command}\` passes and this works: ${goal}`;
  },
  outside: (scope) =>
    scope === undefined ? 'Everything the goal does not name' : `Everything outside of ${scope}`,
  rollback: 'Existing behaviour; nothing is deleted or migrated without a copy to go back to',
  assumed: {
    scopeNamed: (paths) => `Scope: ${paths} (named in the request, with the tests)`,
    scope: (scope) =>
      `Scope: ${scope ?? 'the whole project except protected paths'} (not confirmed)`,
    criterion: (command) =>
      command === undefined
        ? 'Done when: no criterion was given and no test command was found'
        : `Done when: \`${command}\` passes (no criterion was given)`,
    'non-goals': 'Non-goals: nothing outside of the scope is changed',
    constraints:
      'Constraints: existing behaviour and public interfaces stay as they are, no new dependencies',
  },
  leftOut: (lines) =>
    `Left out of this document: ${lines} lines at the end of the request, which is too long`,
};

const ZH: Texts = {
  questions: {
    goal: { text: '完成之后，应当有什么不同？', why: '请求没有说明要改什么。' },
    scope: {
      text: '可以修改哪些文件或目录？',
      why: '请求没有提到文件或目录，而计划只能修改范围之内的内容。',
    },
    criterion: { text: '怎样看出已经完成？', why: '完成意味着有检查作证，因此至少需要一条标准。' },
    'non-goals': { text: '哪些内容不能动？', why: '请求里有涉及风险的字眼。' },
    constraints: {
      text: '哪些行为必须保持不变？出错时如何回退？',
      why: '请求里有涉及风险的字眼。',
    },
  },
  labels: {
    goal: '目标？',
    scope: '范围？',
    criterion: '完成标准？',
    'non-goals': '非目标？',
    constraints: '约束？',
  },
  wholeProject: '整个项目',
  none: '无',
  request: '请求',
  from: (text, source) => `${text}（来自 ${source}）`,
  recommended: (text) => `（建议：${text}）`,
  criterion(command, goal) {
    if (command === undefined) return goal === undefined ? undefined : `做到：${goal}`;
    return goal === undefined ? `\`${command}\` 通过` : `\`${command}\` 通过，并且做到：${goal}`;
  },
  outside: (scope) => (scope === undefined ? '目标没有提到的一切' : `${scope} 之外的一切`),
  rollback: '现有行为不变；删除或迁移之前先留下可以恢复的副本',
  assumed: {
    scopeNamed: (paths) => `范围：${paths}（请求中提到，连同测试）`,
    scope: (scope) => `范围：${scope ?? '整个项目，受保护的路径除外'}（未确认）`,
    criterion: (command) =>
      command === undefined
        ? '完成标准：没有给出，也没有找到测试命令'
        : `完成标准：\`${command}\` 通过（没有给出其他标准）`,
    'non-goals': '非目标：不修改范围之外的任何内容',
    constraints: '约束：现有行为和公开接口不变，不增加新的依赖',
  },
  leftOut: (lines) => `请求过长，本文档未收录末尾的 ${lines} 行`,
};

export function textsFor(language: RequestLanguage): Texts {
  return language === 'zh' ? ZH : EN;
}
