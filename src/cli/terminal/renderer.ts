/** Events as lines for a person, on stderr: stdout belongs to the result. */
import type { AgentEvent, Envelope } from '../../kernel/protocol/events.ts';
import { reasonInWords } from '../../workflow/evidence/failure-words.ts';
import type { Io } from '../io.ts';
import { type Colors, colorsFor } from './colors.ts';
import { safeLine } from './safe-text.ts';

type Rendered = {
  readonly [Type in AgentEvent['type']]?: (
    payload: Extract<AgentEvent, { type: Type }>['payload'],
    colors: Colors,
  ) => string;
};

/** What each event looks like; the others are told by the result. */
const LINES: Rendered = {
  'workflow.task.started': ({ title, executor }, { cyan, dim }) =>
    `${cyan('▸')} ${safeLine(title)} ${dim(`(${executor})`)}`,
  'workflow.task.completed': ({ title }, { green }) => `${green('✓')} ${safeLine(title)}`,
  // What was wrong is told by the result, once.
  'workflow.task.failed': ({ title }, { red }) => `${red('✗')} ${safeLine(title)}`,
  'workflow.check.started': ({ command }, { dim }) => dim(`  · ${safeLine(command)}`),
  'workflow.check.completed'(check, { dim, green, red }) {
    const { status, durationMs, command, reused } = check;
    const time = reused ? 'same tree, ran before' : `${(durationMs / 1000).toFixed(1)} s`;
    const mark = status === 'passed' ? green('✓') : red('✗');
    const why = status === 'passed' ? '' : `: ${safeLine(reasonInWords(check))}`;
    return `  ${mark} ${safeLine(command)} ${dim(`(${time})`)}${why}`;
  },
  'workflow.stage.changed': ({ from, to }, { dim }) => dim(`  stage ${from} → ${to}`),
  'tool.call.failed': ({ code, message }, { red }) =>
    `  ${red('✗')} ${code}: ${firstLine(message)}`,
  'tool.call.skipped': ({ code, message }, { red }) =>
    `  ${red('✗')} ${code}: ${firstLine(message)}`,
  'tool.call.started': ({ toolName, arguments: input }, { dim }) =>
    dim(`  → ${toolName} ${argumentsOf(input)}`),
  warning: ({ message }, { yellow }) => `${yellow('!')} ${safeLine(message)}`,
};

export function renderEvents(io: Io): (envelope: Envelope) => void {
  const colors = colorsFor(io.env, io.isTerminal.stderr);
  return (envelope) => {
    const line = lineOf(envelope, colors);
    if (line !== undefined) io.stderr(`${line}\n`);
  };
}

/** `undefined` for an event that the result tells anyway. */
function lineOf(event: AgentEvent, colors: Colors): string | undefined {
  // The table's type pairs each name with its own payload, which a look-up by a union forgets.
  const render = LINES[event.type] as
    | ((payload: AgentEvent['payload'], colors: Colors) => string)
    | undefined;
  return render?.(event.payload, colors);
}

const MAX_ARGUMENT = 100;

/** The path or the command: what tells one call from another. */
function argumentsOf(input: unknown): string {
  const { path, command } = (input ?? {}) as {
    readonly path?: unknown;
    readonly command?: unknown;
  };
  const told = typeof path === 'string' ? path : command;
  return typeof told === 'string' ? firstLine(told).slice(0, MAX_ARGUMENT) : '';
}

function firstLine(text: string): string {
  return safeLine(text.split('\n', 1)[0] ?? '');
}
