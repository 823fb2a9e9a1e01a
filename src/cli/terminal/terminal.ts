/** The terminal that a person sits at. */
export interface Terminal {
  /** A terminal, not a pipe. */
  readonly stdin: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Neither colours nor moving cursors. */
  readonly isPlain: boolean;
  /** Ends a question that is waiting. */
  readonly signal: AbortSignal;
}
