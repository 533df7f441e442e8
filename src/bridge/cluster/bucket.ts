// What nodes write for each other: one value for each key, changed by compare-and-set. Without watchers: a consumer on
// the server gets lost when its server does (measured on 2.9.10).
import { JetStreamApiCodes, JetStreamApiError, jetstream } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';

/** Each call has as long, ms: without a quorum no server answers. */
const callMs = 4_000;

export interface Entry<T> {
  value: T;
  revision: number;
}

export class Bucket {
  readonly #kv: KV;
  readonly #name: string;
  readonly #connection: NatsConnection;

  private constructor(kv: KV, name: string, connection: NatsConnection) {
    this.#kv = kv;
    this.#name = name;
    this.#connection = connection;
  }

  /**
   * Makes it if there is none.
   * @param replicas servers that each value lies on
   * @throws what the server says, or a timeout
   */
  static async open(connection: NatsConnection, name: string, replicas: number): Promise<Bucket> {
    const kvm = new Kvm(jetstream(connection, { timeout: callMs }));
    // Read where it is decided: a copy may be behind, and who asks wants to know what holds.
    const kv = await kvm.create(name, { replicas, history: 1, allow_direct: false });
    return new Bucket(kv, name, connection);
  }

  /** @returns undefined when there is none; its value is undefined when it is not of this form. @throws a timeout */
  async get<T>(key: string, form: z.ZodType<T>): Promise<Entry<T | undefined> | undefined> {
    const entry = await this.#kv.get(key);
    if (entry?.operation !== 'PUT') return undefined;
    return { value: understood(entry.string(), form), revision: entry.revision };
  }

  /** Every value of this form whose key begins so, e.g. `node.`. @throws a timeout */
  async list<T>(prefix: string, form: z.ZodType<T>): Promise<Entry<T>[]> {
    const { streams } = await (await jetstream(this.#connection, { timeout: callMs })).jetstreamManager(
      false,
    );
    const found: Entry<T>[] = [];
    let seq = 1;
    for (;;) {
      // The client hands on what it has no type for: the first message of such a subject from there on.
      const next = { seq, next_by_subj: `$KV.${this.#name}.${prefix}>` } as { seq: number };
      const message = await streams.getMessage(`KV_${this.#name}`, next);
      if (!message) return found;
      seq = message.seq + 1;
      const value =
        message.header.get('KV-Operation') === '' ? understood(message.string(), form) : undefined;
      if (value !== undefined) found.push({ value, revision: message.seq });
    }
  }

  /**
   * Writes if nobody has written since.
   * @param revision of the value that is replaced; 0 when there is none
   * @returns the new revision; undefined when somebody was faster
   * @throws a timeout: it may be written all the same
   */
  async set(key: string, value: unknown, revision: number): Promise<number | undefined> {
    try {
      return await this.#kv.put(key, JSON.stringify(value), { previousSeq: revision });
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
    if (revision > 0) return undefined;
    // What was deleted has left a mark there.
    const mark = await this.#kv.get(key);
    return mark && mark.operation !== 'PUT' ? await this.set(key, value, mark.revision) : undefined;
  }

  /** @returns false when somebody has written since. @throws a timeout: it may be deleted all the same */
  async delete(key: string, revision: number): Promise<boolean> {
    try {
      await this.#kv.delete(key, { previousSeq: revision });
      return true;
    } catch (error) {
      if (isOutdated(error)) return false;
      throw error;
    }
  }
}

/** A newer release, or anybody else who may write there, says what this one does not know. */
function understood<T>(text: string, form: z.ZodType<T>): T | undefined {
  try {
    return form.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const isOutdated = (error: unknown): boolean =>
  error instanceof JetStreamApiError &&
  (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
    error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown);
