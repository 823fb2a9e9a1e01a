/** A yes-or-no question that only a key pressed after it was shown can answer. */
import { BURST_MS, createKeyReader, type KeyAnswer } from './approval-keys.ts';
import type { Terminal } from './terminal.ts';

/** Tells the terminal to mark what is pasted, and to stop doing so. */
const MARK_PASTES = '\u001b[?2004h';
const LEAVE_PASTES = '\u001b[?2004l';

/** What the person pressed. An aborted signal is a `cancel`. Leaves the terminal as it found it. */
export async function askToConfirm(terminal: Terminal, question: string): Promise<KeyAnswer> {
  const { output, isPlain } = terminal;
  if (await discardTypedAhead(terminal)) return 'cancel';
  output.write(`${isPlain ? '' : MARK_PASTES}${question} (y/N) `);
  const answer = await readAnswer(terminal);
  output.write(`${isPlain ? '' : LEAVE_PASTES}${answer === 'cancel' ? 'cancelled' : answer}\n`);
  return answer;
}

/** What was typed ahead, or pasted with line ends, arrives within this time and answers nothing. */
const SETTLE_MS = 120;

/** @returns Whether Ctrl-C was among what is thrown away. */
export async function discardTypedAhead(terminal: Terminal): Promise<boolean> {
  let isCancelled = false;
  const stop = listen(terminal, (chunk) => {
    if (chunk.includes('\u0003')) isCancelled = true;
  });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  stop();
  return isCancelled || terminal.signal.aborted;
}

function readAnswer(terminal: Terminal): Promise<KeyAnswer> {
  const { signal } = terminal;
  const keys = createKeyReader();
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (answer: KeyAnswer) => {
      stop();
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      resolve(answer);
    };
    const cancel = () => end('cancel');
    const stop = listen(terminal, (chunk) => {
      clearTimeout(timer);
      const answer = keys.read(chunk, performance.now());
      if (answer === 'cancel') end(answer);
      // Held back until it is clear that nothing follows, as the rest of a paste would.
      else if (answer !== undefined) timer = setTimeout(() => end(answer), BURST_MS);
    });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

/** Key by key, without echo. @returns What ends it and restores the mode that was there. */
function listen({ stdin }: Terminal, heard: (chunk: string) => void): () => void {
  const wasRaw = stdin.isRaw;
  const onData = (chunk: Buffer | string) => heard(chunk.toString('utf8'));
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.resume();
  return () => {
    stdin.off('data', onData);
    stdin.pause();
    stdin.setRawMode(wasRaw);
  };
}
