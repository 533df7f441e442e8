// Where each conversation lives: on the node that claimed it first. One Claude Code has it, on one machine.
import { randomUUID } from 'node:crypto';
import { hashId } from '../../base/digest.ts';
import { type Clock, pause } from '../../base/time/clock.ts';
import { KEY_DIGEST_LENGTH } from '../../protocol/cluster/cluster.ts';
import { type ForgetRecord, HomeRecord } from '../../protocol/cluster/cluster-records.ts';
import type { Bucket, Entry } from './bucket.ts';

export type Home =
  | { kind: 'here' }
  /** `wanted`: nobody has claimed it, and the configuration wants it there. */
  | { kind: 'there'; node: string; wanted?: boolean }
  /** It was never here, and nobody can be asked or what they say is not understood; or another node asks for what nobody has. */
  | { kind: 'unknown' };

export interface HomesOptions {
  node: string;
  /** Undefined while the servers cannot be reached. */
  bucket(): Bucket | undefined;
  /** On which node it is to begin, if not on this one. */
  pinOf(key: string): string | undefined;
  /** Whether this node has it already. */
  has(key: string): boolean;
  clock: Clock;
}

/** A message does not wait longer for where it belongs, ms. */
const patienceMs = 4_000;
/** Until servers that do not know either are asked again, ms. */
const againMs = 200;

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

  /**
   * Claims it for this node if nobody has it, and no other one is to.
   * @param relayed another node believes that it is here: what that may have heard since is looked up, and what nobody
   * has is begun where the client is
   */
  of(key: string, relayed = false): Promise<Home> {
    const node = this.#known.get(key);
    if (node === this.#options.node || (node !== undefined && !relayed))
      return Promise.resolve(this.#home(node));
    if (relayed) return this.#ask(key, relayed);
    const asked = this.#asked.get(key) ?? this.#ask(key, relayed).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  /** As `of`, whatever is remembered. @throws when nobody can be asked */
  async claim(key: string): Promise<Home> {
    return this.#remembered(key, await this.#owner(this.#bucket, key, false));
  }

  /** Claims it for a node that is to have it, and that is there. @throws when nobody can be asked */
  async settle(key: string, node: string): Promise<Home> {
    return this.#remembered(key, await this.#claimFor(this.#bucket, key, node));
  }

  /** What was remembered of it does not hold any more. */
  forget(key: string): void {
    this.#known.delete(key);
  }

  /** The key that has this digest. @returns undefined when nobody has claimed it. @throws when nobody can be asked */
  async keyOf(digest: string): Promise<string | undefined> {
    const record = (await this.#bucket.get(`own.${digest}`, HomeRecord))?.value;
    if (record) this.#remembered(record.session, this.#home(record.node));
    return record?.session;
  }

  /** Where it lives by now, whatever was remembered. @throws when nobody can be asked */
  async read(key: string): Promise<string | undefined> {
    const found = await this.#bucket.get(ownKey(key), HomeRecord);
    if (!found) return undefined;
    const node = nodeIn(found);
    this.#remembered(key, this.#home(node));
    return node;
  }

  /**
   * It lives on another node from now on, if it lived on this one.
   * @param left another node that has something of it
   * @returns where it lives now @throws when that is not known
   */
  async give(key: string, to: string, left?: string): Promise<string | undefined> {
    const { node, clock } = this.#options;
    const found = await this.#bucket.get(ownKey(key), HomeRecord);
    if (!found || nodeIn(found) !== node) return found && nodeIn(found);
    const since = new Date(clock.wall()).toISOString();
    const all = new Set([...(found.value?.before ?? []), node, ...(left === undefined ? [] : [left])]);
    const before = [...all].filter((each) => each !== to);
    const takeover = found.value?.takeover ?? false;
    const record: HomeRecord = { version: 1, session: key, node: to, since, before, takeover };
    const given = await this.#bucket.set(ownKey(key), record, found.revision);
    if (given === undefined) return await this.read(key);
    this.#remembered(key, this.#home(to));
    return to;
  }

  /**
   * It lives on this node, if it did: what was written to give it away and is still on its way comes too late then.
   * @param left the node that it was to be given to, which may have something of it
   * @returns where it lives now @throws when that is not known
   */
  async keep(key: string, left: string): Promise<string | undefined> {
    return await this.give(key, this.#options.node, left);
  }

  /** Every home that is known to the servers. @throws when nobody can be asked */
  async list(): Promise<Entry<HomeRecord>[]> {
    return await this.#bucket.list('own.', HomeRecord);
  }

  /**
   * It lives here beyond doubt, if it does: what was written before and comes late is outdated.
   * @param takeover whether another node may go on with it
   * @returns the revision that says so; undefined when it lives elsewhere @throws when that is not known
   */
  async own(key: string, takeover: boolean): Promise<number | undefined> {
    const { node } = this.#options;
    for (;;) {
      const found = await this.#bucket.get(ownKey(key), HomeRecord);
      if (!found) await this.#claimFor(this.#bucket, key, node);
      else if (nodeIn(found) === node) {
        const revision = await this.#bucket.set(ownKey(key), { ...found.value, takeover }, found.revision);
        if (revision !== undefined) return revision;
      } else {
        this.#remembered(key, this.#home(nodeIn(found)));
        return undefined;
      }
    }
  }

  /**
   * Takes it from a node that is gone.
   * @param revision of its home as that was found
   * @returns the new revision; undefined when somebody was faster @throws when that is not known
   */
  async take({ value, revision }: Entry<HomeRecord>): Promise<number | undefined> {
    const { node, clock } = this.#options;
    const { session: key } = value;
    const before = [...new Set([...value.before, value.node])].filter((each) => each !== node);
    const since = new Date(clock.wall()).toISOString();
    const taken = await this.#bucket.set(ownKey(key), { ...value, node, since, before }, revision);
    if (taken !== undefined) this.#remembered(key, { kind: 'here' });
    return taken;
  }

  /**
   * Gives up every home of a node that is gone for good.
   * @param erase what else the servers keep of one that could be taken over
   * @returns how many there were @throws when nobody can be asked; some may be given up then
   */
  async giveUp(node: string, erase: (key: string) => Promise<void>): Promise<number> {
    const bucket = this.#bucket;
    let count = 0;
    for (const { value, revision } of await bucket.list('own.', HomeRecord)) {
      if (value.node !== node) continue;
      this.forget(value.session);
      if (value.takeover) await erase(value.session);
      if (await bucket.delete(ownKey(value.session), revision)) count += 1;
    }
    return count;
  }

  /**
   * It is no conversation of this node any more; the next message of that name may begin one anywhere.
   * @param forget whether other nodes are to forget what it has left there
   */
  async release(key: string, forget: boolean): Promise<void> {
    this.forget(key);
    const { node } = this.#options;
    const bucket = this.#options.bucket();
    const found = await bucket?.get(ownKey(key), HomeRecord);
    if (bucket && found?.value?.node === node) {
      const { before: nodes } = found.value;
      if (forget && nodes.length > 0) await orderForgetting(bucket, key, nodes);
      // One that was begun again here meanwhile may have said already that others may take it over.
      if (!this.#options.has(key)) await bucket.delete(ownKey(key), found.revision);
    }
    // Whoever asked meanwhile may have found it still claimed.
    this.forget(key);
    if (this.#options.has(key)) await this.of(key);
  }

  /** @throws while the servers cannot be reached */
  get #bucket(): Bucket {
    const bucket = this.#options.bucket();
    if (!bucket) throw new Error('the nats-servers cannot be reached');
    return bucket;
  }

  async #ask(key: string, relayed: boolean): Promise<Home> {
    const { bucket, has, clock } = this.#options;
    // It never moves by itself: what was here is here.
    const unasked = (): Home => (has(key) ? { kind: 'here' } : { kind: 'unknown' });
    const store = bucket();
    if (!store) return unasked();
    const late = Promise.withResolvers<undefined>();
    let isLate = false;
    const cancel = clock.after(patienceMs, () => {
      isLate = true;
      late.resolve(undefined);
    });
    // Where one server of several went, the others agree within seconds on who leads them now.
    const look = async () => {
      while (!isLate)
        try {
          return this.#remembered(key, await this.#owner(store, key, relayed));
        } catch {
          await pause(clock, againMs);
        }
      return undefined;
    };
    const found = await Promise.race([look(), late.promise]).finally(cancel);
    return found === undefined || (found.kind === 'unknown' && !relayed) ? unasked() : found;
  }

  async #owner(bucket: Bucket, key: string, relayed: boolean): Promise<Home> {
    const { node, pinOf, has } = this.#options;
    const before = await bucket.get(ownKey(key), HomeRecord);
    if (before) return this.#homeIn(before);
    const wish = has(key) ? node : (pinOf(key) ?? (relayed ? undefined : node));
    if (wish === undefined) return { kind: 'unknown' };
    if (wish !== node) return { kind: 'there', node: wish, wanted: true };
    return await this.#claimFor(bucket, key, node);
  }

  /** @returns who has it then */
  async #claimFor(bucket: Bucket, key: string, node: string): Promise<Home> {
    const since = new Date(this.#options.clock.wall()).toISOString();
    const record: HomeRecord = { version: 1, session: key, node, since, before: [], takeover: false };
    if ((await bucket.set(ownKey(key), record, 0)) !== undefined) return this.#home(node);
    const now = await bucket.get(ownKey(key), HomeRecord);
    if (!now) throw new Error('claimed by somebody, and given up again');
    return this.#homeIn(now);
  }

  /** What a newer release has written says nothing to this one. */
  #homeIn({ value }: Entry<HomeRecord | undefined>): Home {
    return value ? this.#home(value.node) : { kind: 'unknown' };
  }

  #home(node: string): Home {
    return node === this.#options.node ? { kind: 'here' } : { kind: 'there', node };
  }

  #remembered(key: string, home: Home): Home {
    if (home.kind === 'unknown' || (home.kind === 'there' && home.wanted)) return home;
    this.#known.set(key, home.kind === 'here' ? this.#options.node : home.node);
    const [oldest] = this.#known.keys();
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest);
    return home;
  }
}

/** @throws for what a newer release has written: who has it cannot be said */
function nodeIn({ value }: Entry<HomeRecord | undefined>): string {
  if (!value) throw new Error('a home is written in a form that is not known');
  return value.node;
}

async function orderForgetting(bucket: Bucket, session: string, nodes: string[]): Promise<void> {
  const key = `forget.${randomUUID()}`;
  await bucket.set(key, { version: 1, key, session, nodes } satisfies ForgetRecord, 0);
}

/** A conversation's key may hold anything. */
const ownKey = (key: string): string => `own.${hashId(key, KEY_DIGEST_LENGTH)}`;
