// Times of whole processes, in turns: what slows the machine for a moment slows all of them.
import { spawnSync } from 'node:child_process';

const P25 = 0.25;

/**
 * Runs every command once per round.
 *
 * @returns by name: `minMs`, `p25Ms`, or `problem` when a run did not end as it should.
 */
export function measureInTurns(commands, rounds) {
  const times = new Map(commands.map(({ name }) => [name, []]));
  const problems = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const command of commands) {
      if (problems.has(command.name)) continue;
      const run = runOnce(command);
      if (run.problem === undefined) times.get(command.name).push(run.ms);
      else problems.set(command.name, run.problem);
    }
  }
  return new Map(
    commands.map(({ name }) => [name, summarize(times.get(name), problems.get(name))]),
  );
}

/** One run: how long it took, what it said, and a problem when its status is not among `exits`. */
export function runOnce({ argv, cwd, env, exits = [0] }) {
  const [program, ...args] = argv;
  const startedAt = performance.now();
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ms = performance.now() - startedAt;
  const isDefect = stderr.includes('RUNTIME_INTERNAL_ERROR');
  if (exits.includes(status) && !isDefect) return { ms, stdout, stderr };
  const why = error?.message ?? signal ?? `exit ${status}`;
  return { ms, stdout, stderr, problem: `${why}: ${firstLine(stderr || stdout)}` };
}

/** Minimum and lower quartile of times in milliseconds. */
export function summarize(times, problem) {
  if (problem !== undefined || times.length === 0) return { problem: problem ?? 'never ran' };
  const sorted = times.toSorted((a, b) => a - b);
  return { minMs: sorted[0], p25Ms: sorted[Math.floor(sorted.length * P25)] };
}

function firstLine(text) {
  return text.trim().split('\n', 1)[0].slice(0, 100);
}
