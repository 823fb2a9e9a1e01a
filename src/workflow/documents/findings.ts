import type { Finding } from './plan-model.ts';

/** Collects what a person should know about one document. */
export class Findings {
  readonly #file: string;
  readonly #found: Finding[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Refuses the document. */
  error(rule: string, line: number, message: string): void {
    this.#found.push({ level: 'error', rule, file: this.#file, line, message });
  }

  warn(rule: string, line: number, message: string): void {
    this.#found.push({ level: 'warning', rule, file: this.#file, line, message });
  }

  /** In the order of the lines. */
  get all(): readonly Finding[] {
    return [...this.#found].sort((a, b) => a.line - b.line);
  }
}
