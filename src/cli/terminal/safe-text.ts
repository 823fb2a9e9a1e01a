/** Text from files and programs, on its way to a terminal. Pure. */

/** Would move the cursor, change colours or clear the screen: hostile text must not command a terminal. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Show text in another order than it stands in the file, or hide it. */
const DECEIVING = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Tabs and line ends stay; every other control is shown as what it is. */
export function safeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(CONTROLS, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replaceAll(DECEIVING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
