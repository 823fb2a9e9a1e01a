import { CcError } from '../../kernel/base/errors.ts';
import { failureInWords } from '../../workflow/evidence/failure-words.ts';
import type { VerifyFile } from '../../workflow/evidence/verify-file.ts';
import { verify } from '../../workflow/verify.ts';
import { verifyInCi } from '../../workflow/verify-ci.ts';
import { type Call, defineCommand } from '../command.ts';
import type { Act } from '../host/person.ts';
import { choice, flag, list, text } from '../options.ts';
import { reportPath, writeReport } from '../report-file.ts';
import { safeJson, safeText } from '../terminal/safe-text.ts';

const options = {
  check: list('<command>', 'Run this too'),
  onlyFailed: flag('Only what did not pass the last time'),
  accept: list('<criterion>', 'Say that a criterion is met; needs --reason'),
  reason: text('<text>', 'Why it is met'),
  fresh: flag('Run even what passed on this very tree'),
  ci: flag('Run the listed checks at any stage and write no session file'),
  format: choice(['text', 'json', 'junit', 'github'], 'With --ci: form of the report'),
  out: text('<file>', 'With --ci: write the report there instead of stdout'),
};

export const command = defineCommand({
  name: 'verify',
  about:
    'Runs the checks that the approved plan lists and binds the result to the tree. Passes only when each ' +
    'check passed, each criterion is proven and each step is done.',
  examples: [
    'cc verify',
    'cc verify --accept AC2 --reason "read it with Ben"',
    'cc verify --ci --format junit --out report.xml',
  ],
  options,

  async run(call) {
    const { args, host, out } = call;
    const { id, isNamed } = await host.pickSession();
    if (args.ci) return runInCi(call, id);
    if (args.format !== undefined || args.out !== undefined) {
      throw new CcError('REQUEST_INVALID', '--format and --out go with --ci', {
        hint: 'cc verify --ci',
      });
    }
    const accept = await acceptances(call, id, isNamed);
    if ('refusal' in accept) return out.refuse(accept.refusal, id);
    const act = {
      command: 'cc verify',
      question: 'Run these commands?',
      sessionNamed: isNamed,
      session: id,
    };
    const result = await host.controller.request(id, (ports) =>
      verify(ports, {
        id,
        checks: args.check,
        onlyFailed: args.onlyFailed,
        fresh: args.fresh,
        accept: accept.given,
        ask: host.consent(act),
        signal: host.io.signal,
      }),
    );
    if (!result.allowed) return out.refuse(result.refusal, id);
    if (result.mutated.length > 0) {
      const message = `Checks change files of the project, twice in a row: ${result.mutated.join(', ')}`;
      const remedy = 'cc ralplan --edit';
      return out.refuse({ code: 'CHECK_MUTATES_TREE', message, remedy }, id);
    }
    const passed = result.verify.status === 'passed';
    return out.done({
      value: { session: id, stage: result.to, ...result.verify },
      text: screenOf(id, result.verify),
      next: await host.dueCommand(id),
      exit: passed ? 0 : 1,
    });
  },
});

type VerifyCall = Call<typeof options>;

/** A person's word for a criterion is a person's act, asked like an approval. */
async function acceptances({ args, host }: VerifyCall, session: string, sessionNamed: boolean) {
  const { accept, reason } = args;
  if (accept.length === 0) return { given: [] };
  if (reason === undefined || reason.trim() === '') {
    throw new CcError('REQUEST_INVALID', '--accept needs a --reason', {
      hint: `cc verify --accept ${accept[0] ?? ''} --reason "…"`,
    });
  }
  const act: Act = {
    command: `cc verify --accept ${accept.join(' --accept ')} --reason ${JSON.stringify(reason)}`,
    question: 'Is that so?',
    sessionNamed,
    session,
  };
  const consent = await host.consent(act)({ text: `${accept.join(', ')}: ${reason}`, hash: '' });
  if (!consent.given) return { refusal: consent.refusal };
  return { given: accept.map((criterion) => ({ criterion, reason, by: consent.by })) };
}

async function runInCi(
  { args, host, out }: VerifyCall,
  id: Parameters<typeof verifyInCi>[1]['id'],
) {
  const format = args.format ?? (host.global.json ? 'json' : 'text');
  if (host.global.json && format !== 'json' && args.out === undefined) {
    const message = `--json and --format ${format} are two documents for one stdout`;
    throw new CcError('REQUEST_INVALID', message, {
      hint: `cc verify --ci --format ${format} --out <file> --json`,
    });
  }
  const file = args.out === undefined ? undefined : await reportPath(host, args.out);
  const report = await host.controller.request(id, (ports) =>
    verifyInCi(ports, { id, checks: args.check, fresh: args.fresh, signal: host.io.signal }),
  );
  const { printReport } = await import('../../workflow/evidence/ci-report.ts');
  // A CI log is read at terminals, too, and the output of checks is anybody's.
  const document =
    format === 'json' ? `${safeJson(report, 2)}\n` : safeText(printReport(report, format));
  const exit = report.passed ? 0 : 1;
  if (file !== undefined) {
    await writeReport(host, file, document);
    const value = { session: id, passed: report.passed, file };
    return out.done({
      value,
      text: `${id}: ${report.passed ? 'passed' : 'not passed'}\nwrote ${file}`,
      exit,
    });
  }
  out.raw(document);
  return exit;
}

function screenOf(id: string, result: VerifyFile): string {
  const checks = result.checks.map((check) =>
    check.status === 'passed'
      ? `  ✓ ${check.command}`
      : `  ✗ ${check.command}: ${failureInWords(check)}`,
  );
  const criteria = result.criteria.map(({ id: name, text: words, proof, reason }) => {
    const how =
      reason === undefined ? (proof ?? 'not proven') : `${proof ?? 'not proven'}: ${reason}`;
    return `  ${proof === undefined ? '✗' : '✓'} ${name} ${words} (${how})`;
  });
  const open = Object.entries(result.tasks).filter(([, status]) => status !== 'completed');
  const nothing =
    result.checks.length === 0 ? ['  nothing was checked: the plan lists no check'] : [];
  return [
    `${id}: ${result.status}`,
    ...nothing,
    ...checks,
    ...criteria,
    ...open.map(([task, status]) => `  ✗ step ${task} is ${status}`),
    ...result.deferred.map(({ command: later }) => `  … ${later} (left to CI)`),
    ...result.produced.map(
      (path) => `  new file: ${path} (ignore it: echo ${JSON.stringify(path)} >> .gitignore)`,
    ),
    ...outsideLines(result.outside),
    'wrote verify.json',
  ].join('\n');
}

const MAX_OUTSIDE = 10;

/** Nobody forbids it to a person, but they should know what a commit of the session will leave out. */
function outsideLines(outside: readonly string[]): readonly string[] {
  if (outside.length === 0) return [];
  const more = outside.length > MAX_OUTSIDE ? ` and ${outside.length - MAX_OUTSIDE} more` : '';
  return [`  ! changed outside of every scope: ${outside.slice(0, MAX_OUTSIDE).join(', ')}${more}`];
}
