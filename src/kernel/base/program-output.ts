import type { Readable } from 'node:stream';

/** The whole output of a helper program, up to a limit. */
export class Collected {
  readonly ended: Promise<unknown>;
  /** Settles when there is more than `maxBytes`; that part is not kept. */
  readonly overflow: Promise<'too much output'>;
  private readonly stream: Readable;
  private readonly parts: Buffer[] = [];

  constructor(stream: Readable, maxBytes: number) {
    this.stream = stream;
    let size = 0;
    this.ended = new Promise((resolve) => {
      stream.once('close', resolve).once('end', resolve).once('error', resolve);
    });
    this.overflow = new Promise((resolve) => {
      stream.on('data', (bytes: Buffer) => {
        size += bytes.length;
        if (size <= maxBytes) this.parts.push(bytes);
        else resolve('too much output');
      });
    });
  }

  /** Ends the reading, also when a child of the program still holds the other end. */
  close(): Buffer {
    this.stream.destroy();
    return Buffer.concat(this.parts);
  }
}
