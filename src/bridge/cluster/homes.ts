// Where each conversation lives: on the node that claimed it first. One Claude Code has it, on one machine.
import { hashId } from '../../base/digest.ts';
import { HomeRecord } from '../../protocol/cluster.ts';
import type { Bucket } from './bucket.ts';

export type Home =
  | { kind: 'here' }
  | { kind: 'there'; node: string }
  /** Nobody can be asked, and it was never here. */
  | { kind: 'unknown' };

export interface HomesOptions {
  node: string;
  /** Undefined while the servers cannot be reached. */
  bucket(): Bucket | undefined;
  /** On which node it is to begin, if not on this one. */
  pinOf(key: string): string | undefined;
  /** Whether this node has it already. */
  has(key: string): boolean;
  /** Wall clock, epoch ms. */
  wall(): number;
}

/** Homes that are remembered. */
const most = 10_000;

export class Homes {
  readonly #options: HomesOptions;
  /** Oldest first. */
  readonly #known = new Map<string, string>();
  readonly #asked = new Map<string, Promise<Home>>();

  constructor(options: HomesOptions) {
    this.#options = options;
  }

  /** Claims it for this node if nobody has it, and no other one is to. */
  of(key: string): Promise<Home> {
    const node = this.#known.get(key);
    if (node !== undefined) return Promise.resolve(this.#home(node));
    const asked = this.#asked.get(key) ?? this.#ask(key).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  /** What was remembered of it does not hold any more. */
  forget(key: string): void {
    this.#known.delete(key);
  }

  /** Where it lives by now, whatever was remembered. @throws when nobody can be asked */
  async read(key: string): Promise<string | undefined> {
    const found = await this.#bucket.get(ownKey(key), HomeRecord);
    if (found) this.#remember(key, found.value.node);
    return found?.value.node;
  }

  /**
   * It lives on another node from now on, if it lived on this one.
   * @returns where it lives now @throws when that is not known
   */
  async give(key: string, to: string): Promise<string | undefined> {
    const { node, wall } = this.#options;
    const found = await this.#bucket.get(ownKey(key), HomeRecord);
    if (found?.value.node !== node) return found?.value.node;
    const record: HomeRecord = { ...found.value, node: to, since: new Date(wall()).toISOString() };
    if ((await this.#bucket.set(ownKey(key), record, found.revision)) === undefined)
      return await this.read(key);
    this.#remember(key, to);
    return to;
  }

  /**
   * It lives on this node, if it did: what was written to give it away and is still on its way comes too late then.
   * @returns where it lives now @throws when that is not known
   */
  async keep(key: string): Promise<string | undefined> {
    return await this.give(key, this.#options.node);
  }

  /** It is no conversation of this node any more; the next message of that name may begin one anywhere. */
  async release(key: string): Promise<void> {
    this.forget(key);
    const { node } = this.#options;
    const bucket = this.#options.bucket();
    const found = await bucket?.get(ownKey(key), HomeRecord);
    if (found?.value.node === node) await bucket?.delete(ownKey(key), found.revision);
  }

  get #bucket(): Bucket {
    const bucket = this.#options.bucket();
    if (!bucket) throw new Error('the nats-servers cannot be reached');
    return bucket;
  }

  async #ask(key: string): Promise<Home> {
    const bucket = this.#options.bucket();
    // It never moves by itself: what was here is here.
    if (!bucket) return this.#options.has(key) ? { kind: 'here' } : { kind: 'unknown' };
    try {
      const node = await this.#owner(bucket, key);
      this.#remember(key, node);
      return this.#home(node);
    } catch {
      return this.#options.has(key) ? { kind: 'here' } : { kind: 'unknown' };
    }
  }

  async #owner(bucket: Bucket, key: string): Promise<string> {
    const { node, pinOf, has, wall } = this.#options;
    const before = await bucket.get(ownKey(key), HomeRecord);
    if (before) return before.value.node;
    const pin = has(key) ? node : (pinOf(key) ?? node);
    // It claims it itself, when the message gets there.
    if (pin !== node) return pin;
    const record: HomeRecord = { version: 1, session: key, node, since: new Date(wall()).toISOString() };
    if ((await bucket.set(ownKey(key), record, 0)) !== undefined) return node;
    const now = await bucket.get(ownKey(key), HomeRecord);
    if (!now) throw new Error('claimed by somebody, and given up again');
    return now.value.node;
  }

  #home(node: string): Home {
    return node === this.#options.node ? { kind: 'here' } : { kind: 'there', node };
  }

  #remember(key: string, node: string): void {
    this.#known.set(key, node);
    if (this.#known.size <= most) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

/** A conversation's key may hold anything. */
const ownKey = (key: string): string => `own.${hashId(key, 32)}`;
