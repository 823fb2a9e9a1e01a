import { expect, test } from 'vitest';
import { CcError, ERROR_CODES, type ErrorCode } from '../../src/kernel/base/errors.ts';
import { FOLDER, ID, PLAN, planOf, type Reached, sessionAt } from '../support/sessions.ts';
import { answering, type TempProject } from '../support/temp-project.ts';

const HOOK = '.chainlesschain/hooks/pre-execute.js';
const FAILING = PLAN.replace('   42\n', '   41\n');
const PROSE = planOf([{ title: 'Say 42' }]);
const MUTATING = planOf([{ title: 'Say 42' }], ['- `sh count.sh`']);
const COUNT = { 'count.sh': 'wc -c < log.txt >> log.txt\n', 'log.txt': '1\n' };
const NAMED = ['--session', ID];

interface Ending {
  readonly exit: number;
  readonly argv: readonly string[];
  readonly at?: Reached;
  readonly plan?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly prepare?: (project: TempProject) => Promise<unknown>;
  /** Of an error result; a result without one is a success, or work that was done and failed. */
  readonly code?: ErrorCode;
}

const damage = (project: TempProject) => project.write(`${FOLDER}/mode.json`, '{"stage":');
const abort = async (project: TempProject) => {
  const stop = new AbortController();
  stop.abort(new CcError('REQUEST_CANCELLED', 'Cancelled by SIGINT', { hint: 'cc status' }));
  project.io = { signal: stop.signal };
};

const ENDINGS: Readonly<Record<string, Ending>> = {
  'status of a session': { argv: ['status'], exit: 0 },
  'status of a damaged one': {
    argv: ['status'],
    prepare: damage,
    exit: 7,
    code: 'SESSION_DAMAGED',
  },
  'status of what is not there': {
    argv: ['status', '--session', 'other'],
    exit: 6,
    code: 'SESSION_NOT_FOUND',
  },
  log: { argv: ['log'], exit: 0 },
  'session list': { argv: ['session', 'list'], exit: 0 },
  'session list with a damaged one': { argv: ['session', 'list'], prepare: damage, exit: 0 },
  'session show': { argv: ['session', 'show', ID], exit: 0 },
  'session show of a damaged one': {
    argv: ['session', 'show', ID],
    prepare: damage,
    exit: 7,
    code: 'SESSION_DAMAGED',
  },
  'session use of what is not there': {
    argv: ['session', 'use', 'other'],
    exit: 6,
    code: 'SESSION_NOT_FOUND',
  },
  'check that finds nothing': { argv: ['check'], exit: 0 },
  'check that finds something': { argv: ['check'], prepare: damage, exit: 1 },
  'check of a requirement': { argv: ['check', '--require', 'verified'], exit: 1 },
  doctor: { argv: ['doctor'], exit: 0 },
  'doctor with a damaged session': { argv: ['doctor'], prepare: damage, exit: 1 },
  init: { argv: ['init'], exit: 0 },
  'config list': { argv: ['config'], exit: 0 },
  'config of an unknown key': { argv: ['config', 'get', 'a.b'], exit: 6, code: 'REQUEST_INVALID' },
  'config that cannot be read': {
    argv: ['config'],
    prepare: (project) => project.write('.chainlesschain/config.yaml', 'a: b\n'),
    exit: 6,
    code: 'CONFIG_INVALID',
  },
  'an interview that is finished': {
    argv: ['deep-interview', '--scope', '.'],
    at: 'intent',
    exit: 0,
  },
  'an interview with open questions': { argv: ['deep-interview', 'do something'], exit: 8 },
  'a plan': { argv: ['ralplan'], at: 'intent', exit: 0 },
  'a plan without a goal': {
    argv: ['ralplan'],
    prepare: (project) => project.write(`${FOLDER}/intent.md`, '# Intent\n'),
    exit: 7,
    code: 'INTENT_REQUIRED',
  },
  'an approval': { argv: ['ralplan', '--approve', ...NAMED], exit: 0 },
  'an approval that nobody gives': {
    argv: ['ralplan', '--approve'],
    exit: 8,
    code: 'INPUT_REQUIRED',
  },
  'an approval by ourselves': {
    argv: ['ralplan', '--approve', ...NAMED],
    prepare: async (project) => void (project.env = { CC_RUN: 'x' }),
    exit: 7,
    code: 'PERSON_REQUIRED',
  },
  'a plan that a person refuses': {
    argv: ['ralplan', '--approve'],
    prepare: async (project) => void (project.io = { prompter: answering(false) }),
    exit: 7,
    code: 'PLAN_REJECTED',
  },
  'a run without approval': { argv: ['ralph'], exit: 7, code: 'PLAN_APPROVAL_REQUIRED' },
  'a run': { argv: ['ralph'], at: 'approved', exit: 0 },
  'a run whose check fails': { argv: ['ralph'], at: 'approved', plan: FAILING, exit: 1 },
  'a run that waits for a person': { argv: ['ralph'], at: 'approved', plan: PROSE, exit: 8 },
  'a run with a hook': {
    argv: ['ralph'],
    at: 'approved',
    prepare: (project) => project.write(HOOK, ''),
    exit: 7,
    code: 'HOOKS_UNTRUSTED',
  },
  'a run that is cancelled': {
    argv: ['ralph'],
    at: 'approved',
    prepare: abort,
    exit: 130,
  },
  'a verification': { argv: ['verify'], at: 'executed', exit: 0 },
  'a verification that fails': {
    argv: ['verify'],
    at: 'executed',
    prepare: (project) => project.write('answer.txt', 'no\n'),
    exit: 1,
  },
  'checks that change the tree': {
    argv: ['verify'],
    at: 'approved',
    plan: MUTATING,
    files: COUNT,
    prepare: (project) => project.cc('ralph'),
    exit: 1,
    code: 'CHECK_MUTATES_TREE',
  },
  'verify --ci': { argv: ['verify', '--ci'], at: 'executed', exit: 0 },
  'verify --ci that fails': { argv: ['verify', '--ci'], at: 'approved', exit: 1 },
  'a completion': { argv: ['complete'], at: 'verified', exit: 0 },
  'a completion too early': {
    argv: ['complete'],
    at: 'executed',
    exit: 7,
    code: 'VERIFICATION_REQUIRED',
  },
  'a stale one': {
    argv: ['complete'],
    at: 'verified',
    prepare: (project) => project.write('new.txt', ''),
    exit: 7,
    code: 'VERIFICATION_STALE',
  },
  'next that needs a person': { argv: ['next'], exit: 8, code: 'INPUT_REQUIRED' },
  'next with nothing due': { argv: ['next', ...NAMED], at: 'complete', exit: 0 },
  'cancel of nothing': { argv: ['cancel'], exit: 0 },
  'unlock of nothing': { argv: ['unlock'], exit: 0 },
  'repair of nothing': { argv: ['repair'], exit: 0 },
  'a repair that nobody confirms': {
    argv: ['repair'],
    prepare: damage,
    exit: 8,
    code: 'INPUT_REQUIRED',
  },
  'a repair': { argv: ['repair', ...NAMED], prepare: damage, exit: 0 },
  'a reset': { argv: ['reset', '--to', 'intent', ...NAMED], exit: 0 },
  'a reopening too early': { argv: ['reopen', ...NAMED], exit: 7, code: 'STAGE_MISMATCH' },
  'a reopening': { argv: ['reopen', ...NAMED], at: 'complete', exit: 0 },
  'no command': { argv: ['nonsense'], exit: 6, code: 'REQUEST_INVALID' },
};

/** A refusal changes nothing, so the same line can be asked in both forms. */
test.each(Object.entries(ENDINGS))('%s', async (_title, ending) => {
  const { at = 'plan', plan, files, prepare, argv, exit, code } = ending;
  await using project = await sessionAt(at, { ...(plan && { plan }), ...(files && { files }) });
  await prepare?.(project);
  const json = await project.cc(...argv, '--json');
  const { error } = JSON.parse(json.stdout) as { error?: { code: ErrorCode } };
  expect({ exit: json.exitCode, code: error?.code }).toEqual({ exit, code });
  if (code === undefined) return;
  expect(ERROR_CODES[code].exit).toBe(exit);
  const text = await project.cc(...argv);
  expect({ exit: text.exitCode, stdout: text.stdout }).toEqual({ exit, stdout: '' });
  expect(text.stderr).toMatch(new RegExp(`^${code}: .+\\nNext: \\S.*\\n$`, 'm'));
});
