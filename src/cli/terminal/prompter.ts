/** Questions at a terminal. */
import { createInterface } from 'node:readline';
import { isCancel, text as askText } from '@clack/prompts';
import { CcError } from '../../kernel/base/errors.ts';
import type { Prompter } from '../io.ts';
import { colorsFor, isPlain } from './colors.ts';
import { askToConfirm, discardTypedAhead } from './confirm.ts';
import { safeText } from './safe-text.ts';
import type { Terminal } from './terminal.ts';
import { wrapText } from './wrap.ts';

const DEFAULT_COLUMNS = 80;
/** Of the bar and the blanks beside it. */
const GUIDE_COLUMNS = 4;

type Env = Readonly<Record<string, string | undefined>>;

/** @throws {CcError} `REQUEST_CANCELLED` from a question that was answered with Ctrl-C. */
export function createPrompter(place: Omit<Terminal, 'isPlain'>, env: Env): Prompter {
  const terminal = { ...place, isPlain: isPlain(env) };
  const colors = colorsFor(env, true);
  return {
    async confirm(question) {
      const mark = terminal.isPlain ? '' : `${colors.cyan('◆')}  `;
      const answer = await askToConfirm(terminal, mark + safeText(question));
      if (answer === 'cancel') throw cancelled(terminal.signal);
      return answer === 'yes';
    },
    async text(question, recommended) {
      if (await discardTypedAhead(terminal)) throw cancelled(terminal.signal);
      const ask = terminal.isPlain ? askPlainly : askWithGuide;
      const answer = await ask(terminal, safeText(question), safeText(recommended ?? ''));
      if (answer === undefined) throw cancelled(terminal.signal);
      // The recommendation was shown in a form that is safe to look at; taken, it is the original.
      if (answer === '' || answer === safeText(recommended ?? '')) return recommended;
      return answer;
    },
  };
}

function cancelled(signal: AbortSignal): CcError {
  const reason: unknown = signal.reason;
  if (reason instanceof CcError) return reason;
  return new CcError('REQUEST_CANCELLED', 'Cancelled at the question', { hint: 'cc status' });
}

/** The second line says why, dim and beside the bar. */
async function askWithGuide(
  { stdin, output, signal }: Terminal,
  question: string,
  recommended: string,
): Promise<string | undefined> {
  const columns = Math.max(GUIDE_COLUMNS * 4, output.columns || DEFAULT_COLUMNS);
  const { dim, gray } = colorsFor({}, true);
  const [head = '', ...reasons] = question.split('\n');
  const wrapped = (text: string) => wrapText(text, columns - GUIDE_COLUMNS);
  const lines = [...wrapped(head), ...reasons.flatMap(wrapped).map((line) => dim(line))];
  const answer = await askText({
    message: lines.join(`\n${gray('│')}  `),
    placeholder: recommended,
    defaultValue: recommended,
    input: stdin,
    output,
    signal,
  });
  return isCancel(answer) ? undefined : answer;
}

/** A question, a line: what every terminal can do. */
function askPlainly(
  { stdin, output, signal }: Terminal,
  question: string,
  recommended: string,
): Promise<string | undefined> {
  const proposal = recommended === '' ? '' : `[${recommended}] `;
  const lines = createInterface({ input: stdin, output, terminal: false });
  return new Promise((resolve) => {
    const end = (answer?: string) => {
      signal.removeEventListener('abort', cancel);
      resolve(answer);
      lines.close();
    };
    const cancel = () => end();
    lines.question(`${question}\n${proposal}> `, end);
    lines.once('close', cancel);
    signal.addEventListener('abort', cancel, { once: true });
  });
}
