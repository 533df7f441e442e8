// What a conversation has left on machines where it lived before: when it is removed, it is forgotten there, too, by each
// of them once it is there.
import type { Log } from '../../../base/log.ts';
import { ForgetRecord } from '../../../protocol/cluster.ts';
import type { Bucket } from '../bucket.ts';

export interface LeftoversOptions {
  node: string;
  /** Deletes what is kept here of a conversation that is gone. */
  forget(key: string): Promise<void>;
  log: Log;
}

export class Leftovers {
  readonly #options: LeftoversOptions;
  #looking = false;

  constructor(options: LeftoversOptions) {
    this.#options = options;
  }

  /** Forgets what this machine is to forget. What fails is tried again at the next look. */
  async look(bucket: Bucket): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const { node, log } = this.#options;
    try {
      for (const { value, revision } of await bucket.list('forget.', ForgetRecord))
        if (value.nodes.includes(node)) await this.#forget(bucket, value, revision);
    } catch (error) {
      log.debug('what is to be forgotten here could not be looked up', { error });
    } finally {
      this.#looking = false;
    }
  }

  async #forget(bucket: Bucket, record: ForgetRecord, revision: number): Promise<void> {
    const { node, forget } = this.#options;
    await forget(record.session);
    const nodes = record.nodes.filter((each) => each !== node);
    // Another machine that writes at the same time has the rest done at the next look.
    if (nodes.length === 0) await bucket.delete(record.key, revision);
    else await bucket.set(record.key, { ...record, nodes }, revision);
  }
}
