/** A patch on a text: exact, without guessing, and every untouched byte stays. Pure. */
import { inOrder, type Placement, place, sideOf } from './place-hunks.ts';
import { joinLines, type Line, splitBom, splitLines, usualEnd } from './line-ends.ts';
import type { PatchFile, PatchHunk } from './read-patch.ts';

export { type PatchFile, readPatch } from './read-patch.ts';

export type Applied =
  | {
      readonly ok: true;
      /** `undefined` when the file is to be deleted. */
      readonly text: string | undefined;
      /** The text is what the patch would make of it: nothing is to be done. */
      readonly already: boolean;
    }
  | { readonly ok: false; readonly problem: string };

/**
 * Applies one file of a patch. Hunks may have moved, but every line of context has to be there, in one
 * place only.
 *
 * @param text What the file holds; `undefined` when there is none.
 */
export function applyToText(text: string | undefined, file: PatchFile): Applied {
  switch (file.kind) {
    case 'create':
      return create(text, file);
    case 'delete':
      return remove(text, file);
    case 'change':
      return change(text, file);
  }
}

function create(text: string | undefined, file: PatchFile): Applied {
  const end = file.crlf ? '\r\n' : '\n';
  const added = file.hunks.flatMap((hunk) => sideOf(hunk, 'new').texts);
  const lacksNewline = file.hunks.some((hunk) => hunk.newLacksNewline);
  const content = added.join(end) + (added.length === 0 || lacksNewline ? '' : end);
  if (text === undefined) return done(content);
  const isSame = text.replaceAll('\r\n', '\n') === content.replaceAll('\r\n', '\n');
  return isSame ? done(text, true) : refuse(`${file.path} exists already, with other content`);
}

function remove(text: string | undefined, file: PatchFile): Applied {
  if (text === undefined) return done(undefined, true);
  const there = splitLines(splitBom(text).body).map((line) => line.text);
  const expected = file.hunks.flatMap((hunk) => sideOf(hunk, 'old').texts);
  const [first = '', ...rest] = expected;
  const isSame = [splitBom(first).body, ...rest].join('\n') === there.join('\n');
  return isSame ? done(undefined) : refuse(`${file.path} is not what the patch would delete`);
}

function change(text: string | undefined, file: PatchFile): Applied {
  const { path, hunks } = file;
  if (text === undefined) return refuse(`There is no file ${path}`);
  const { bom, body } = splitBom(text);
  const lines = splitLines(body);
  const forward = place(lines, hunks, 'old');
  const backward = place(lines, hunks, 'new');
  switch (choose(hunks, forward, backward)) {
    case 'apply':
      return done(bom + splitBomOnce(bom, rewrite(lines, hunks, forward)));
    case 'already':
      return done(text, true);
    case 'ambiguous':
      return refuse(`The patch fits ${path} in more than one place`);
    case 'neither':
      return refuse(`${path}: ${forward.ok ? '' : forward.problem}`);
  }
}

/**
 * Both sides may fit: an insertion at the end of its hunk leaves the old lines as they were. Where both
 * stand exactly where the patch says, the longer side says more.
 */
function choose(
  hunks: readonly PatchHunk[],
  forward: Placement,
  backward: Placement,
): 'apply' | 'already' | 'ambiguous' | 'neither' {
  const isExact = (placement: Placement) => placement.ok && placement.exact;
  const grows = lengthOf(hunks, 'new') > lengthOf(hunks, 'old');
  if (isExact(forward)) return isExact(backward) && grows ? 'already' : 'apply';
  if (isExact(backward)) return 'already';
  if (forward.ok) return backward.ok ? 'ambiguous' : 'apply';
  if (backward.ok) return 'already';
  return forward.ambiguous ? 'ambiguous' : 'neither';
}

function lengthOf(hunks: readonly PatchHunk[], side: 'old' | 'new'): number {
  return hunks.reduce((sum, hunk) => sum + sideOf(hunk, side).texts.length, 0);
}

/** Untouched lines keep their ends; an added one takes that of the line it replaces, or of its neighbour. */
function rewrite(lines: readonly Line[], hunks: readonly PatchHunk[], forward: Placement): string {
  const result: Line[] = [];
  let next = 0;
  for (const [hunk, at] of inOrder(hunks, forward)) {
    result.push(...lines.slice(next, at));
    next = at;
    let replaced: Line['end'][] = [];
    for (const { sign, text } of hunk.lines) {
      const current = lines[next];
      if (sign === '+') {
        const end = replaced.shift() || result.at(-1)?.end || current?.end || usualEnd(lines);
        result.push({ text, end });
        continue;
      }
      next++;
      if (sign === '-') replaced.push(current?.end ?? '');
      else replaced = [];
      if (sign === ' ' && current !== undefined) result.push(current);
    }
  }
  result.push(...lines.slice(next));
  return joinLines(withLastEnd(result, lines, hunks));
}

function withLastEnd(
  result: readonly Line[],
  before: readonly Line[],
  hunks: readonly PatchHunk[],
): Line[] {
  const usual = usualEnd(before);
  const [old, now] = [hunks.some((h) => h.oldLacksNewline), hunks.some((h) => h.newLacksNewline)];
  const lacksNewline = now || (!old && before.at(-1)?.end === '');
  return result.map(({ text, end }, index) => {
    const isLast = index === result.length - 1;
    return { text, end: isLast && lacksNewline ? '' : end || usual };
  });
}

/** The patch of a file with a byte order mark repeats the mark in front of its first line. */
function splitBomOnce(bom: string, body: string): string {
  return bom === '' ? body : splitBom(body).body;
}

function done(text: string | undefined, already = false): Applied {
  return { ok: true, text, already };
}

function refuse(problem: string): Applied {
  return { ok: false, problem };
}
