/** Every command: what help says of it, and where it is. Loaded when it is called, not before. */
import type { Command } from './command.ts';

export interface CommandEntry {
  readonly summary: string;
  readonly group: 'path' | 'look' | 'rescue' | 'setup';
  /** It is about no project, so none is named. */
  readonly isPlaceless?: boolean;
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  'deep-interview': {
    summary: 'Say what you want; answer what is missing',
    group: 'path',
    load: () => import('./commands/deep-interview.ts'),
  },
  ralplan: {
    summary: 'Draft, edit, approve or reject the plan',
    group: 'path',
    load: () => import('./commands/ralplan.ts'),
  },
  ralph: {
    summary: 'Carry the approved plan out, step by step',
    group: 'path',
    load: () => import('./commands/ralph.ts'),
  },
  verify: {
    summary: 'Run the checks on exactly this code',
    group: 'path',
    load: () => import('./commands/verify.ts'),
  },
  complete: {
    summary: 'Close the session whose evidence holds',
    group: 'path',
    load: () => import('./commands/complete.ts'),
  },
  next: {
    summary: 'Run the command that is due',
    group: 'path',
    load: () => import('./commands/next.ts'),
  },
  status: {
    summary: 'Where the session stands, and what is due',
    group: 'look',
    load: () => import('./commands/status.ts'),
  },
  log: {
    summary: 'What happened in the session',
    group: 'look',
    load: () => import('./commands/log.ts'),
  },
  session: {
    summary: 'List, show and choose sessions',
    group: 'look',
    load: () => import('./commands/session.ts'),
  },
  check: {
    summary: 'Judge the files of every session, as in CI',
    group: 'look',
    load: () => import('./commands/check.ts'),
  },
  doctor: {
    summary: 'What this machine and project lack',
    group: 'look',
    load: () => import('./commands/doctor.ts'),
  },
  cancel: {
    summary: 'End what runs in the session',
    group: 'rescue',
    load: () => import('./commands/cancel.ts'),
  },
  reset: {
    summary: 'Go back to an earlier stage',
    group: 'rescue',
    load: () => import('./commands/reset.ts'),
  },
  reopen: {
    summary: 'Take a closed session up again',
    group: 'rescue',
    load: () => import('./commands/reopen.ts'),
  },
  repair: {
    summary: 'Put damaged files right, keeping a copy',
    group: 'rescue',
    load: () => import('./commands/repair.ts'),
  },
  unlock: {
    summary: 'Remove the locks of dead processes',
    group: 'rescue',
    load: () => import('./commands/unlock.ts'),
  },
  init: {
    summary: 'Make .chainlesschain/ in this project',
    group: 'setup',
    load: () => import('./commands/init.ts'),
  },
  config: {
    summary: 'Read and change settings',
    group: 'setup',
    load: () => import('./commands/config.ts'),
  },
  completion: {
    summary: 'Print the completion script of a shell',
    group: 'setup',
    isPlaceless: true,
    load: () => import('./commands/completion.ts'),
  },
};
