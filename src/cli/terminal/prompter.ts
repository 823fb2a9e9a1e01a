/** Questions at a terminal. */
import { confirm, isCancel, text } from '@clack/prompts';
import type { Prompter } from '../io.ts';
import { safeText } from './safe-text.ts';

/** What was typed ahead, or pasted with line ends, arrives within this time and answers nothing. */
const SETTLE_MS = 120;

/** @param stdin A terminal. */
export function createPrompter(stdin: NodeJS.ReadStream, output: NodeJS.WriteStream): Prompter {
  return {
    async confirm(question) {
      await discardTypedAhead(stdin);
      const answer = await confirm({
        message: safeText(question),
        initialValue: false,
        input: stdin,
        output,
      });
      return isCancel(answer) ? undefined : answer;
    },
    async text(question, recommended) {
      await discardTypedAhead(stdin);
      const proposal =
        recommended === undefined ? {} : { placeholder: recommended, defaultValue: recommended };
      const answer = await text({ message: safeText(question), ...proposal, input: stdin, output });
      return isCancel(answer) ? undefined : answer;
    },
  };
}

/** Only keys pressed after the question was shown may answer it. */
async function discardTypedAhead(stdin: NodeJS.ReadStream): Promise<void> {
  const wasRaw = stdin.isRaw;
  stdin.setRawMode(true);
  const drop = () => {};
  stdin.on('data', drop);
  stdin.resume();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  stdin.off('data', drop);
  stdin.pause();
  stdin.setRawMode(wasRaw);
}
