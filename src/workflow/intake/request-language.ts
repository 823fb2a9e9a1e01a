export type RequestLanguage = 'en' | 'zh';

/** A Chinese character says about as much as this many letters. */
const LETTERS_PER_CHARACTER = 3;

/** What the person writes in. Code, paths and flags are in no language. */
export function languageOfRequest(request: string): RequestLanguage {
  const words = request.replaceAll(/`[^`\n]{0,200}`/g, ' ').split(/\s+/);
  // Chinese has no blanks around what is named, so that only the ASCII part of a word is taken out.
  const spoken = words.map((word) =>
    word.startsWith('--') || /[/_.]/.test(word) ? word.replaceAll(/[\u0021-\u007e]+/g, ' ') : word,
  );
  const text = spoken.join(' ');
  const characters = text.match(/[\u4e00-\u9fff]/g)?.length ?? 0;
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  return characters * LETTERS_PER_CHARACTER > letters ? 'zh' : 'en';
}
