// A program's newest output. It is copied into blocks of its own: what a terminal says comes in pieces of a few bytes, each
// of which would cost a hundred if it were kept as it came.

const blockBytes = 64 * 1024;

interface Block {
  bytes: Buffer;
  /** Offset of its first byte. */
  at: number;
  /** How much of it is written. What is written never changes, so that views of it may be handed out. */
  length: number;
}

/** The last so many bytes of a stream. Offsets count from its start. */
export class Ring {
  readonly #most: number;
  /** Oldest first, without holes. */
  #blocks: Block[] = [];
  #start = 0;
  #end = 0;

  /** @param most bytes that are kept */
  constructor(most: number) {
    this.#most = most;
  }

  /** Offset of the oldest byte that is kept. */
  get start(): number {
    return this.#start;
  }

  /** Offset behind the newest byte. */
  get end(): number {
    return this.#end;
  }

  push(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.length) {
      const block = this.#room();
      const part = bytes.subarray(from, from + blockBytes - block.length);
      block.bytes.set(part, block.length);
      block.length += part.length;
      this.#end += part.length;
      from += part.length;
      // Within the loop: of a long piece only the end is kept.
      this.dropBefore(this.#end - this.#most);
    }
  }

  /** Nothing before this offset is wanted. Beyond the end it means the end. */
  dropBefore(at: number): void {
    this.#start = Math.max(this.#start, Math.min(at, this.#end));
    const first = this.#blocks.findIndex((block) => block.at + block.length > this.#start);
    if (first === -1) this.#blocks = [];
    else if (first > 0) this.#blocks.splice(0, first);
  }

  /** What is kept, in order, each piece with the offset of its first byte. */
  *pieces(): Generator<{ at: number; bytes: Buffer }> {
    for (const { bytes, at, length } of this.#blocks) {
      const skipped = Math.max(0, this.#start - at);
      if (skipped < length) yield { at: at + skipped, bytes: bytes.subarray(skipped, length) };
    }
  }

  #room(): Block {
    const newest = this.#blocks.at(-1);
    if (newest && newest.length < blockBytes) return newest;
    const block = { bytes: Buffer.allocUnsafeSlow(blockBytes), at: this.#end, length: 0 };
    this.#blocks.push(block);
    return block;
  }
}
