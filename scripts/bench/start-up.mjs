// How long the commands take that people type most, as a ratio to a Node that does nothing.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchEnv, makeRepository } from './environment.mjs';
import { measureInTurns, runOnce } from './measure.mjs';
import { writeSessions } from './sessions.mjs';

const ROUNDS = 30;
const COLD_ROUNDS = 2;
const MANY = 1_000;
const MANY_EXTRA_MS = 60;
const CHECK_COLD_MS = 3_000;
const CHECK_CACHED_MS = 500;
const MAX_RSS_MB = 90;

const BASE = 'node -e 0';

/** Measured in turns with `node -e 0`. `budgetMs` gets the time of that one. */
const ROWS = [
  { name: 'cc --version', args: ['--version'], project: 'one', factor: 1.3 },
  { name: 'cc --help', args: ['--help'], project: 'one', factor: 1.6 },
  { name: 'cc status, one session', args: ['status'], project: 'one', factor: 2 },
  {
    name: 'cc status, 1,000 sessions',
    args: ['status'],
    project: 'many',
    factor: 2,
    extraMs: MANY_EXTRA_MS,
  },
  {
    name: 'cc check, 1,000 sessions, cached',
    args: ['check'],
    project: 'many',
    atMostMs: CHECK_CACHED_MS,
  },
];

/** Rows of the table for the start of programs. */
export async function measureStartUp({ scratch, program }) {
  const env = await benchEnv(join(scratch, 'home'));
  const projects = { one: join(scratch, 'one'), many: join(scratch, 'many') };
  await makeProject(projects.one, 1, env);
  await makeProject(projects.many, MANY, env);

  const commands = ROWS.map(({ name, args, project }) => ({
    name,
    argv: [process.execPath, program, ...args],
    cwd: projects[project],
    env,
    exits: exitsOf(args),
  }));
  // The first runs fill the code cache, and what commands keep themselves.
  for (const command of [...commands, ...commands]) runOnce(command);
  const base = { name: BASE, argv: [process.execPath, '-e', '0'], cwd: projects.one, env };
  const times = measureInTurns([base, ...commands], ROUNDS);

  const bare = times.get(BASE);
  return [
    { name: BASE, ...bare, ratioTo: bare },
    ...ROWS.map((row) => judge(row, times.get(row.name), bare)),
    await measureCold({ scratch, program }),
    await measureMemory({ scratch, program, cwd: projects.one, env }),
  ];
}

/** The sessions here were approved by nobody, which `check` says, with status 1. */
function exitsOf([command]) {
  return command === 'check' ? [0, 1] : [0];
}

async function makeProject(root, sessions, env) {
  await mkdir(root, { recursive: true });
  await writeFile(join(root, 'package.json'), '{ "name": "bench", "private": true }\n');
  await writeSessions(root, sessions);
  makeRepository(root, env);
}

function judge({ name, factor, extraMs = 0, atMostMs }, time, bare) {
  const budgetMs = atMostMs ?? factor * bare.minMs + extraMs;
  const extra = extraMs === 0 ? '' : ` + ${extraMs} ms`;
  const budget = factor === undefined ? `≤ ${atMostMs} ms` : `≤ ${factor} ×${extra}`;
  return { name, ...time, ratioTo: bare, budget, isOver: !(time.minMs <= budgetMs) };
}

/** With nothing kept anywhere: a project, a home and a code cache that no command has seen. */
async function measureCold({ scratch, program }) {
  const name = `cc check, ${MANY.toLocaleString('en')} sessions, cold`;
  const runs = [];
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const folder = await mkdtemp(join(scratch, 'cold-'));
    const env = await benchEnv(join(folder, 'home'));
    const cwd = join(folder, 'project');
    await makeProject(cwd, MANY, env);
    const exits = exitsOf(['check']);
    runs.push(runOnce({ argv: [process.execPath, program, 'check'], cwd, env, exits }));
    await rm(folder, { recursive: true });
  }
  const problem = runs.find((run) => run.problem !== undefined)?.problem;
  const minMs = Math.min(...runs.map(({ ms }) => ms));
  const budget = `≤ ${CHECK_COLD_MS} ms`;
  return { name, minMs, problem, budget, isOver: problem !== undefined || minMs > CHECK_COLD_MS };
}

async function measureMemory({ scratch, program, cwd, env }) {
  const name = 'cc status, memory';
  const teller = join(scratch, 'tell-memory.cjs');
  const tell =
    "process.on('exit', () => process._rawDebug('rss ' + process.resourceUsage().maxRSS));";
  await writeFile(teller, tell);
  const { problem, stderr } = runOnce({
    argv: [process.execPath, '--require', teller, program, 'status'],
    cwd,
    env,
  });
  const usedMb = Number(/rss (\d+)/.exec(stderr)?.[1]) / 1024;
  const told = `${usedMb.toFixed(0)} MB`;
  const isOver = problem !== undefined || !(usedMb <= MAX_RSS_MB);
  return { name, told, problem, budget: `≤ ${MAX_RSS_MB} MB`, isOver };
}
