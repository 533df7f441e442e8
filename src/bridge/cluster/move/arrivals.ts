// Conversations as they come here from other machines.
import type { Duplex } from 'node:stream';
import { type ParcelPort, receiveParcel } from './receive-parcel.ts';

export interface ArrivalsOptions {
  node: string;
  port: Pick<ParcelPort, 'transcriptFor' | 'expect' | 'arrive'>;
  files: ParcelPort['files'];
  look: ParcelPort['look'];
  /** It takes none. */
  isDraining(): boolean;
  /** Conversations that are still to be forgotten here; undefined when nobody can be asked. */
  left(): Promise<ReadonlySet<string> | undefined>;
}

export class Arrivals {
  readonly #options: ArrivalsOptions;
  /** Those whose rows are just being written. */
  readonly #keys = new Set<string>();

  constructor(options: ArrivalsOptions) {
    this.#options = options;
  }

  /** Its rows are just being written, as they come from elsewhere. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  async write(key: string, write: () => Promise<void>): Promise<void> {
    this.#keys.add(key);
    try {
      await write();
    } finally {
      this.#keys.delete(key);
    }
  }

  /** From another machine, which is answered. Never rejects. */
  async receive(tunnel: Duplex): Promise<void> {
    const { node, port, files, look, isDraining, left } = this.#options;
    await receiveParcel(tunnel, {
      transcriptFor: port.transcriptFor,
      files,
      look,
      expect: (session, from) => {
        if (isDraining()) throw new Error(`${node} gives its own conversations away`);
        port.expect(session, from);
      },
      arrive: async (head) => {
        // An order to forget an earlier one of its name must not come upon this one.
        if ((await left())?.has(head.session) !== false)
          throw new Error('an earlier conversation of its name is still to be forgotten there');
        await this.write(head.session, () => port.arrive(head));
      },
    });
  }
}
