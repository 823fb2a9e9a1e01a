/** The result of `verify --ci` in the form that a CI system reads. Pure. */
import { unreachable } from '../../kernel/base/errors.ts';
import { failureInWords } from './failure-words.ts';
import type { CheckRecord, CriterionRecord } from './verify-file.ts';

export interface CiReport {
  readonly session: string;
  readonly planHash: string;
  readonly treeHash: string;
  readonly passed: boolean;
  readonly checks: readonly CheckRecord[];
  readonly criteria: readonly CriterionRecord[];
  /** Ids of criteria that only a person can judge: neither passed nor failed here. */
  readonly reviews: readonly string[];
  /** Tracked files that the checks changed. */
  readonly mutated: readonly string[];
}

export type ReportFormat = 'text' | 'json' | 'junit' | 'github';

/** Ends with a line end. */
export function printReport(report: CiReport, format: ReportFormat): string {
  switch (format) {
    case 'text':
      return asText(report);
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'junit':
      return asJunit(report);
    case 'github':
      return asAnnotations(report);
    default:
      return unreachable(format);
  }
}

function asText({ session, passed, checks, criteria, reviews, mutated }: CiReport): string {
  return [
    `${session}: ${passed ? 'passed' : 'not passed'}`,
    ...(checks.length === 0 ? ['  nothing was checked'] : []),
    ...checks.flatMap((check) => [
      `  ${check.status === 'passed' ? '✓' : '✗'} ${check.command}${why(check)}`,
      ...(check.status === 'passed' ? [] : indented(check.output)),
    ]),
    ...criteria.map(({ id, text, proof }) => {
      if (proof !== undefined) return `  ✓ ${id} ${text} (${proof})`;
      return reviews.includes(id)
        ? `  … ${id} ${text} (a review of a person's)`
        : `  ✗ ${id} ${text} (not proven)`;
    }),
    ...mutated.map((path) => `  ✗ a check changed ${path}`),
    '',
  ].join('\n');
}

/** The schema that Jenkins, GitLab and others share: a suite, a case for each check and criterion. */
function asJunit({ session, checks, criteria, reviews, mutated }: CiReport): string {
  const cases = [
    ...checks.map((check) =>
      testCase('checks', check.command, {
        seconds: check.durationMs / 1000,
        failure: check.status === 'passed' ? undefined : failureInWords(check),
        output: check.output,
      }),
    ),
    ...criteria.map(({ id, text, proof }) => {
      const isReview = proof === undefined && reviews.includes(id);
      return testCase('criteria', `${id} ${text}`, {
        seconds: 0,
        failure: proof === undefined && !isReview ? 'not proven' : undefined,
        skipped: isReview,
      });
    }),
    ...mutated.map((path) => testCase('tree', path, { seconds: 0, failure: 'a check changed it' })),
    ...(checks.length === 0
      ? [testCase('checks', '(none)', { seconds: 0, failure: 'nothing was checked' })]
      : []),
  ];
  const failures = cases.filter((one) => one.includes('<failure')).length;
  const skipped = cases.filter((one) => one.includes('<skipped')).length;
  const head = `<testsuite name="${xml(session)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...cases, '</testsuite>', ''].join('\n');
}

function testCase(
  group: string,
  name: string,
  result: {
    readonly seconds: number;
    readonly failure: string | undefined;
    readonly skipped?: boolean;
    readonly output?: string | undefined;
  },
): string {
  const { seconds, failure, skipped = false, output = '' } = result;
  const open = `  <testcase classname="${group}" name="${xml(name)}" time="${seconds.toFixed(3)}"`;
  if (skipped) return `${open}><skipped/></testcase>`;
  if (failure === undefined) return `${open}/>`;
  return `${open}><failure message="${xml(failure)}">${xml(output)}</failure></testcase>`;
}

/** Workflow commands: one line each, with the characters escaped that would end it. */
function asAnnotations(report: CiReport): string {
  const { session, checks, criteria, reviews, mutated, passed } = report;
  const failed = checks.filter(({ status }) => status === 'failed');
  const open = criteria.filter(({ id, proof }) => proof === undefined && !reviews.includes(id));
  return [
    ...failed.map(
      (check) => `::error title=${property(check.command)}::${data(failureInWords(check))}`,
    ),
    ...open.map(({ id, text }) => `::error title=${property(id)}::${data(`not proven: ${text}`)}`),
    ...mutated.map(
      (path) => `::error file=${property(path)}::${data('a check changed this file')}`,
    ),
    ...(checks.length === 0 ? ['::error::nothing was checked'] : []),
    ...(passed
      ? [`::notice title=${property(session)}::${data(`${checks.length} checks passed`)}`]
      : []),
    '',
  ].join('\n');
}

function indented(output = ''): readonly string[] {
  return output === '' ? [] : output.split('\n').map((line) => `    | ${line}`.trimEnd());
}

function why(check: CheckRecord): string {
  return check.status === 'passed' ? '' : `: ${failureInWords(check)}`;
}

function xml(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
