/** A unified diff as data. Strict: what it does not understand it refuses, and drops nothing. Pure. */
import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff';

export interface PatchHunk {
  /** Lines count from 1, as the header states them. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly HunkLine[];
  /** The old side, the new side reach a last line without newline. */
  readonly oldLacksNewline: boolean;
  readonly newLacksNewline: boolean;
}

export interface HunkLine {
  readonly sign: ' ' | '-' | '+';
  /** Without its end: the file's own ends are kept. */
  readonly text: string;
}

export interface PatchFile {
  readonly kind: 'create' | 'change' | 'delete';
  /** As the patch names it, without `a/` and `b/`. */
  readonly path: string;
  /** What the execute bit shall be; `undefined` leaves it. */
  readonly executable: boolean | undefined;
  /** A created file gets CRLF: its lines had it, and the patch around them did not. */
  readonly crlf: boolean;
  readonly hunks: readonly PatchHunk[];
}

export type Patch =
  | { readonly ok: true; readonly files: readonly PatchFile[] }
  | { readonly ok: false; readonly problem: string };

class NotUnderstood extends Error {}

/** What `git diff` and `diff -u` print, of several files, with or without `a/` and `b/`. Never throws. */
export function readPatch(patch: string): Patch {
  const text = asPlainPatch(patch);
  try {
    refuseForeignParts(text);
    const parsed = parsePatch(text).filter(isPart);
    if (parsed.length === 0) throw new NotUnderstood('It changes no file');
    const files = parsed.map(fileOf);
    refuseLostLines(text, parsed);
    const twice = files.find(({ path }, index) => files.findIndex((f) => f.path === path) < index);
    if (twice !== undefined) throw new NotUnderstood(`${twice.path} stands in it twice`);
    return { ok: true, files };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (error instanceof NotUnderstood || !/hunk/i.test(problem)) return { ok: false, problem };
    // What the parser says is made for people, but not the usual reason.
    return { ok: false, problem: `${problem}; do the numbers between @@ fit the lines below?` };
  }
}

/** Without the ends of a patch that was saved on Windows, and without the signature of a mail. */
function asPlainPatch(patch: string): string {
  const isWindows = /^(?:diff --git|---|\+\+\+|@@) [^\n]*\r\n/m.test(patch);
  const text = isWindows ? patch.replaceAll('\r\n', '\n') : patch;
  return text.replace(/\n-- \n[^\n]*\n*$/, '\n');
}

function refuseForeignParts(text: string): void {
  if (/^GIT binary patch|^Binary files /m.test(text)) {
    throw new NotUnderstood('It changes a binary file');
  }
  if (/^(?:index \S+|(?:new|old|new file|deleted file) mode) (?:120000|160000)$/m.test(text)) {
    throw new NotUnderstood('It changes a link or a submodule');
  }
  if (/^(?:rename|copy) (?:from|to) /m.test(text)) {
    throw new NotUnderstood('It renames or copies a file; write a deletion and a creation instead');
  }
}

/** The parser steps over what it does not know, such as a hunk whose header is misspelt. */
function refuseLostLines(text: string, parsed: readonly StructuredPatch[]): void {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^(?:diff --git |--- )/.test(line));
  const body = lines.slice(first);
  const hunks = parsed.flatMap((file) => file.hunks);
  const headers = parsed.filter((file) => file.oldHeader !== undefined).length * 2;
  const understood = hunks.flatMap((hunk) => hunk.lines).filter(isChange).length + headers;
  const lostHunk = body.filter((line) => line.startsWith('@@')).length !== hunks.length;
  if (lostHunk || body.filter(isChange).length !== understood) {
    throw new NotUnderstood('It has changed lines outside of a well-formed "@@ -1,2 +1,2 @@" hunk');
  }
}

const isChange = (line: string) => line.startsWith('+') || line.startsWith('-');

/** Text before the first header makes no part of its own. */
function isPart(file: Partial<StructuredPatch>): file is StructuredPatch {
  return file.oldFileName !== undefined || (file.hunks?.length ?? 0) > 0;
}

function fileOf(file: StructuredPatch): PatchFile {
  const path = pathOf(file);
  const kind = kindOf(file);
  const executable = executableOf(file, path);
  const hunks = file.hunks.map((hunk) => hunkOf(hunk, path));
  const isEmptyFile = kind !== 'change' && file.isGit === true;
  if (hunks.length === 0 && !isEmptyFile && executable === undefined) {
    throw new NotUnderstood(`It has no hunk for ${path}`);
  }
  const added = file.hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith('+'));
  const crlf = added.length > 0 && added.every((line) => line.endsWith('\r'));
  return { kind, path, executable, crlf, hunks };
}

function pathOf({ oldFileName: old, newFileName: now }: StructuredPatch): string {
  if (old === undefined || now === undefined) throw new NotUnderstood('It names no file');
  const hasPrefixes = isNowhereOr(old, 'a/') && isNowhereOr(now, 'b/');
  const [from, to] = [old, now].map((name) =>
    hasPrefixes && !isNowhere(name) ? name.slice(2) : name,
  );
  if (from === undefined || to === undefined || (isNowhere(from) && isNowhere(to))) {
    throw new NotUnderstood('It names no file');
  }
  if (isNowhere(from)) return to;
  if (!isNowhere(to) && from !== to) {
    throw new NotUnderstood(`It renames ${from} to ${to}; write a deletion and a creation instead`);
  }
  return from;
}

function isNowhere(name: string | undefined): boolean {
  return name === '/dev/null';
}

function isNowhereOr(name: string, prefix: string): boolean {
  return isNowhere(name) || name.startsWith(prefix);
}

function kindOf(file: StructuredPatch): PatchFile['kind'] {
  if (file.isCreate === true || isNowhere(file.oldFileName)) return 'create';
  return file.isDelete === true || isNowhere(file.newFileName) ? 'delete' : 'change';
}

function executableOf(file: StructuredPatch, path: string): boolean | undefined {
  const { oldMode, newMode } = file;
  if (newMode === undefined) return undefined;
  if (newMode === '100755') return true;
  if (newMode !== '100644') throw new NotUnderstood(`It gives ${path} the mode ${newMode}`);
  return oldMode === undefined ? undefined : false;
}

function hunkOf(hunk: StructuredPatchHunk, path: string): PatchHunk {
  const { oldStart, newStart } = hunk;
  if (!Number.isInteger(oldStart) || !Number.isInteger(newStart)) {
    throw new NotUnderstood(`A hunk of ${path} has no line numbers: "@@ -1,2 +1,2 @@"`);
  }
  const lines: HunkLine[] = [];
  const lacking = new Set<HunkLine['sign']>();
  for (const line of hunk.lines) {
    if (line.startsWith('\\')) lacking.add(lines.at(-1)?.sign ?? ' ');
    else lines.push({ sign: signOf(line), text: line.slice(1).replace(/\r$/, '') });
  }
  const oldLacksNewline = lacking.has(' ') || lacking.has('-');
  const newLacksNewline = lacking.has(' ') || lacking.has('+');
  const side = (sign: '-' | '+') => lines.filter((line) => line.sign !== sign).map((l) => l.text);
  if (oldLacksNewline === newLacksNewline && side('+').join('\n') === side('-').join('\n')) {
    throw new NotUnderstood(`It changes nothing in ${path} but line ends, which are kept`);
  }
  return { oldStart, newStart, lines, oldLacksNewline, newLacksNewline };
}

/** An editor that strips trailing space leaves nothing of an empty line's sign. */
function signOf(line: string): HunkLine['sign'] {
  if (line.startsWith('-')) return '-';
  return line.startsWith('+') ? '+' : ' ';
}
