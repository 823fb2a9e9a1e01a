/** Whether this process may open more files. */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** What starting a program takes: its three streams, and a pipe that tells whether it began. */
const FILES_OF_A_START = 10;

/** Asked before a start: where the limit is met in the middle of one, Node throws where nobody can catch it. */
export function canOpenMore(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_A_START) opened.push(openSync(devNull, 'r'));
    return true;
  } catch {
    // Whatever it is, a program cannot be started now.
    return false;
  } finally {
    for (const one of opened) closeSync(one);
  }
}
