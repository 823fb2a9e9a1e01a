/** Text from files and programs, on its way to a terminal. Pure. */

/** Would move the cursor, change colours or clear the screen: hostile text must not command a terminal. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Show text in another order than it stands in the file, or hide it. Joiners stay: emoji and scripts need them. */
const DECEIVING =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
/** Of those, what JSON lets stand as it is. */
const RAW_IN_JSON = /[\u007f-\u009f]/g;

/** Tabs and line ends stay; every other control is shown as what it is. */
export function safeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROLS, (char) => `\\x${hex(char, 2)}`)
    .replaceAll(DECEIVING, (char) => `\\u${hex(char, 4)}`);
}

/** One line, whatever was put into it. */
export function safeLine(text: string): string {
  return safeText(text.replaceAll(/\s*[\r\n]\s*/g, ' '));
}

/** The same value for every parser, and nothing in it that a terminal obeys. */
export function safeJson(value: unknown, indent?: number): string {
  const escape = (char: string) =>
    Array.from({ length: char.length }, (_, at) => `\\u${hex(char.charAt(at), 4)}`).join('');
  return JSON.stringify(value, undefined, indent)
    .replaceAll(RAW_IN_JSON, escape)
    .replaceAll(DECEIVING, escape);
}

function hex(char: string, digits: number): string {
  return (char.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
}
