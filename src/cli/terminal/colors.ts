/** Whether a stream gets colours. Pure. */
import pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;
type Env = Readonly<Record<string, string | undefined>>;

/** Colour only adds: every line says the same without it. */
export function colorsFor(env: Env, isTerminal: boolean): Colors {
  return pc.createColors(isForced(env) || (isTerminal && !isPlain(env)));
}

/** A terminal that wants neither colours nor moving cursors. */
export function isPlain(env: Env): boolean {
  return (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
}

function isForced(env: Env): boolean {
  return !['', '0', 'false'].includes(env['FORCE_COLOR'] ?? '');
}
