/** Whether a text is only what a screen prints where words of the person belong: `…`, `...`, `<text>`, `‹text›`. */
export function isFillIn(text: string): boolean {
  return /^(?:…+|\.{3,}|<[^<>]*>|‹[^‹›]*›)$/.test(text.trim());
}
