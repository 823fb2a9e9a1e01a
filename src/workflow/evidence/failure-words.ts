/** Why a check did not pass, in a person's words. Pure. */
import type { CheckRecord } from './verify-file.ts';

type Failure = Pick<CheckRecord, 'reason' | 'exitCode' | 'summary'> & {
  readonly signal?: string | undefined;
};

/** As in `exit code 1`; `failed` where nothing more is known. */
export function reasonInWords({ reason, exitCode, signal }: Omit<Failure, 'summary'>): string {
  switch (reason) {
    case undefined:
      return 'failed';
    case 'exit-code':
      return exitCode === undefined ? 'failed' : `exit code ${exitCode}`;
    case 'signal':
      return `ended by ${signal ?? 'a signal'}`;
    case 'timeout':
      return 'its time was up';
    case 'not-found':
      return 'not found';
    case 'not-executable':
      return 'not executable';
    case 'no-tests':
      return 'no test was run';
    case 'vacuous':
      return 'proves nothing';
    default:
      return reason;
  }
}

/** As in `exit code 1: not ok 3 - adds`; says so where the check said nothing. */
export function failureInWords(record: Failure): string {
  const { summary } = record;
  if (record.reason === 'vacuous' && summary !== '') return summary;
  const words = reasonInWords(record);
  return summary === '' ? `${words}, without a word` : `${words}: ${summary}`;
}

/** A line for each of these that failed and whose output stands in a file, as a path from the project. */
export function wholeOutputs(session: string, records: readonly CheckRecord[]): readonly string[] {
  return records
    .filter(({ status, outputFile }) => status === 'failed' && outputFile !== undefined)
    .map(({ outputFile }) => {
      return `whole output: .chainlesschain/sessions/${session}/${outputFile ?? ''}`;
    });
}
