/** What was read is not in the form of SSH. */
export class SshFormError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SshFormError';
  }
}

/** Reads the binary form of SSH (RFC 4251, section 5), one value after the other. */
export class SshReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws SshFormError when less is there */
  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new SshFormError('It ends too early.');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  string(): Buffer {
    return this.take(this.uint32());
  }

  text(): string {
    return this.string().toString('latin1');
  }

  /** @throws SshFormError when something follows */
  end(): void {
    if (this.#at !== this.#bytes.length) throw new SshFormError('Something follows its end.');
  }
}

/** Returns `bytes` with their length in front. */
export function sshString(bytes: Uint8Array | string): Buffer {
  const content = Buffer.from(bytes as Uint8Array);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
}
