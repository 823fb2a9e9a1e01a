// Session folders as `cc` and people leave them, for measuring only: no seal is valid.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const STARTED = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
/** Of this many sessions one is still open. */
const OPEN_EVERY = 20;
const STEPS = 5;

/** Writes a project with `count` sessions; the last one is the current one. */
export async function writeSessions(root, count) {
  const ids = Array.from({ length: count }, (_, n) => `20260101-change-${n + 1}`);
  for (const [n, id] of ids.entries()) await writeSession(root, id, n);
  await writeFile(join(root, '.chainlesschain/current'), `${ids.at(-1)}\n`);
}

async function writeSession(root, id, n) {
  const folder = join(root, '.chainlesschain/sessions', id);
  await mkdir(folder, { recursive: true });
  const at = new Date(STARTED + n * HOUR_MS).toISOString();
  const isOpen = (n + 1) % OPEN_EVERY === 0 || n === 0;
  const files = {
    'intent.md': intentOf(id, at),
    'plan.md': planOf(id, at),
    'tasks.json': tasksOf(id, at, isOpen),
    'mode.json': toJson({
      stage: isOpen ? 'execute' : 'complete',
      updatedAt: at,
      retries: 0,
      maxRetries: 3,
    }),
    'progress.log': `[${at}] [ralph] ralph loop started\n[${at}] [verify] check-1 passed\n`,
    ...(isOpen ? {} : { 'verify.json': verifyOf(id, at), 'summary.md': `# Summary: ${id}\n` }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

function intentOf(id, at) {
  return `# Intent

**Session:** ${id}
**Created:** ${at}

## Goal

Add a --json flag to the report command

## Clarifications

- The flag changes the output only

## Non-Goals

- Other commands

## Acceptance Criteria

- AC1: \`report --json\` prints one JSON document
- AC2: without the flag nothing changes
`;
}

function planOf(id, at) {
  const steps = stepNumbers().map(
    (step) => `${step}. Change part ${step} of the report
   - id: part-${step}
   - kind: feature
   - scope: src/report/part-${step}.ts
   - verify: \`npm test -- part-${step}\`
   - criteria: AC${(step % 2) + 1}`,
  );
  return `---
session: ${id}
approved: true
updated: ${at}
approvedAt: ${at}
approvedBy: Ann (terminal)
planHash: p1:${'0'.repeat(64)}
seal: s1:${'0'.repeat(64)}
---

# Plan: Add a --json flag to the report command

## Steps

${steps.join('\n')}

## Tradeoffs

- One document, not one per line

## Verification

- \`npm test\`
`;
}

function tasksOf(sessionId, updatedAt, isOpen) {
  const tasks = stepNumbers().map((step) => ({
    id: `part-${step}`,
    title: `Change part ${step} of the report`,
    ownerRole: 'executor/main',
    scopePaths: [`src/report/part-${step}.ts`],
    dependsOn: step === 1 ? [] : [`part-${step - 1}`],
    verifyCommands: [`npm test -- part-${step}`],
    doneWhen: [],
    status: isOpen && step > 2 ? 'pending' : 'completed',
  }));
  return toJson({ sessionId, version: 1, stage: 'execute', tasks, updatedAt });
}

function verifyOf(sessionId, updatedAt) {
  const check = { id: 'check-1', command: 'npm test', status: 'passed', exitCode: 0 };
  return toJson({
    sessionId,
    status: 'passed',
    checks: [{ ...check, durationMs: 1_000, summary: 'ok' }],
    nextAction: 'complete',
    updatedAt,
  });
}

function stepNumbers() {
  return Array.from({ length: STEPS }, (_, n) => n + 1);
}

function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
