/** What `intent.md` and `plan.md` have in common: keys on top, Markdown below, and faults of the text itself. */
import type { Findings } from './findings.ts';
import { bodyStartOf, type FrontMatter, readFrontMatter } from './front-matter.ts';
import { type Markdown, parseMarkdown } from './markdown.ts';

// Without width, or turning the direction of what follows: a reader sees less than a program does.
const INVISIBLE = new RegExp(
  '[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u115F\\u1160\\u180E\\u200B-\\u200F' +
    '\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\u{E0000}-\\u{E007F}]',
  'gu',
);
const IN_EMOJI =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]\u200D(?=\p{Extended_Pictographic})/gu;

export interface OpenDocument {
  readonly matter: FrontMatter;
  readonly markdown: Markdown;
}

/** Reads both parts and reports what keeps them from being read, or from being seen. */
export function openDocument(text: string, findings: Findings): OpenDocument {
  const matter = readFrontMatter(text);
  if (!matter.ok) findings.error('front-matter', matter.line, matter.problem);

  const markdown = parseMarkdown(text, bodyStartOf(text));
  const { problem, openComments } = markdown;
  if (problem) findings.error('too-large', problem.line, problem.message);
  for (const line of openComments) {
    findings.error('unclosed-comment', line, "'<!--' is never closed and hides what follows");
  }
  if (!problem) reportInvisible(markdown, findings);
  return { matter, markdown };
}

/** They count as text; a person should know that they are there. One finding per line. */
function reportInvisible({ source }: Markdown, findings: Findings): void {
  const codesByLine = new Map<number, Set<string>>();
  const nulLines = new Set<number>();
  // The joiner inside an emoji is the only one that is seen.
  const text = source.text.replace(IN_EMOJI, (joined) => 'x'.repeat(joined.length));
  for (const { index, 0: found } of text.matchAll(INVISIBLE)) {
    const line = source.lineOf(index);
    if (found === '\0') {
      nulLines.add(line);
      continue;
    }
    const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    codesByLine.set(line, (codesByLine.get(line) ?? new Set()).add(code));
  }
  for (const line of nulLines) findings.error('nul-byte', line, 'A NUL byte; this is not text');
  for (const [line, codes] of codesByLine) {
    const list = [...codes].slice(0, 5).join(', ');
    findings.warn('invisible-character', line, `Characters that cannot be seen: ${list}`);
  }
}
