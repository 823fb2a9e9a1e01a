/** Events as lines for a person, on stderr: stdout belongs to the result. */
import type { Envelope } from '../../kernel/protocol/events.ts';
import type { Io } from '../io.ts';
import { type Colors, colorsFor } from './colors.ts';
import { safeLine as safe } from './safe-text.ts';

export function renderEvents(io: Io): (envelope: Envelope) => void {
  const colors = colorsFor(io.env, io.isTerminal.stderr);
  return (envelope) => {
    const line = lineOf(envelope, colors);
    if (line !== undefined) io.stderr(`${line}\n`);
  };
}

/** What one event looks like; `undefined` for those that the result tells anyway. */
export function lineOf(event: Envelope, colors: Colors): string | undefined {
  switch (event.type) {
    case 'workflow.task.started': {
      const { title, executor } = event.payload;
      return `${colors.cyan('▸')} ${safe(title)} ${colors.dim(`(${executor})`)}`;
    }
    case 'workflow.task.completed':
      return `${colors.green('✓')} ${safe(event.payload.title)}`;
    case 'workflow.task.failed':
      return `${colors.red('✗')} ${safe(event.payload.title)}: ${firstLine(event.payload.message)}`;
    case 'workflow.check.started':
      return colors.dim(`  · ${safe(event.payload.command)}`);
    case 'workflow.check.completed': {
      const { status, reason, durationMs, summary, command, reused } = event.payload;
      const time = reused ? 'same tree, ran before' : `${(durationMs / 1000).toFixed(1)} s`;
      const mark = status === 'passed' ? colors.green('✓') : colors.red('✗');
      const why = status === 'passed' ? '' : `: ${reason ?? 'failed'}: ${safe(summary)}`;
      return `  ${mark} ${safe(command)} ${colors.dim(`(${time})`)}${why}`;
    }
    case 'workflow.stage.changed':
      return colors.dim(`  stage ${event.payload.from} → ${event.payload.to}`);
    case 'tool.call.completed':
      return undefined;
    case 'tool.call.failed':
    case 'tool.call.skipped':
      return `  ${colors.red('✗')} ${event.payload.code}: ${firstLine(event.payload.message)}`;
    case 'tool.call.started':
      return colors.dim(`  → ${event.payload.toolName} ${argumentsOf(event.payload.arguments)}`);
    case 'warning':
      return `${colors.yellow('!')} ${safe(event.payload.message)}`;
    default:
      return undefined;
  }
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
  return safe(text.split('\n', 1)[0] ?? '');
}
