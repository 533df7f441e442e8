// Which nodes there are. Each writes its own record every few seconds; whether another lives is judged by how long ago
// its record changed, on the clock of whoever looks: the clocks of machines differ.
import type { Log } from '../../base/log.ts';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import type { NodeRow } from '../../domain/views/cluster.ts';
import { leastLeaseSeconds } from '../../protocol/cluster/cluster.ts';
import { NodeRecord } from '../../protocol/cluster/cluster-records.ts';
import type { Bucket } from './bucket.ts';
import { serverTrouble } from './server-trouble.ts';
import { goneShare } from './takeover/lease.ts';

/** Of a lease: from one record to the next, and for how long one that does not change is away and not gone. */
const [beatShare, awayShare] = [1 / 10, 1 / 3];
/**
 * Of the time between two beats: until one that failed is tried again. The servers have 4 s for each, so one that got lost
 * and a whole pause behind it are 7 of the 10 s after which a node is away.
 */
const againShare = 1 / 4;

export interface MembersOptions {
  node: string;
  /** Of this start of the bridge. */
  instance: string;
  /** What the record says besides. */
  about(): Omit<NodeRecord, 'version' | 'node' | 'instance' | 'lease_s' | 'stopped'>;
  /** Undefined while the servers cannot be reached. */
  bucket(): Bucket | undefined;
  /** How long this node may be silent before it has lost what it had, ms. Others say it of themselves. */
  leaseMs: number;
  /** The time, as `wrote` is told it: monotonic ms. */
  now(): number;
  /** The own record was written. @param since when that was begun */
  wrote(since: number): void;
  /** After each look at the others. */
  looked(): void;
  /** Another bridge has this node's name, once and for all: this one has no part in the cluster any more. */
  taken(): void;
  clock: Clock;
  log: Log;
}

interface Known {
  record: NodeRecord;
  revision: number;
  /** Monotonic; the time in which nothing could be read is left out. */
  changedAt: number;
}

export class Members {
  readonly #options: MembersOptions;
  readonly #known = new Map<string, Known>();
  /** Of the own record; 0 before it is written. */
  #revision = 0;
  #readAt: number | undefined;
  #next: Cancel | undefined;
  #beating: Promise<void> | undefined;
  #isClosed = false;
  #isTaken = false;
  /** Why the last beat came to nothing. */
  #failure: string | undefined;

  constructor(options: MembersOptions) {
    this.#options = options;
  }

  /** Another bridge has this node's name. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Why this node has no part in the cluster, or sees nothing of it now, in words. */
  get reason(): string | undefined {
    return this.#isTaken
      ? `Another bridge runs as node "${this.#options.node}": give one of them another name (cluster.node), and restart it.`
      : this.#failure && `The nats-servers do not do what the cluster needs: ${this.#failure}.`;
  }

  /** Others and this one, by name. */
  rows(): NodeRow[] {
    const { node, about } = this.#options;
    const now = about();
    const own: NodeRow = { ...rowOf({ node, ...now }), state: now.draining ? 'draining' : 'here' };
    const others = [...this.#known.values()].map(({ record }) => ({
      ...rowOf(record),
      state: this.#stateOf(record),
    }));
    return [own, ...others].sort((a, b) => (a.node < b.node ? -1 : 1));
  }

  /** Whether a question with this code waited on another node when that was heard of last. */
  asks(code: string): boolean {
    return [...this.#known.values()].some(({ record }) => record.asking.includes(code));
  }

  /** Whether it was heard of lately. What cannot be asked now is as it was. */
  isAlive(node: string): boolean {
    const known = this.#known.get(node);
    if (!known || known.record.stopped || this.#readAt === undefined) return false;
    return this.#readAt - known.changedAt < leaseOf(known.record) * awayShare;
  }

  /** Nodes that have lost what they had: whatever they do, they have given it up before. */
  get gone(): ReadonlySet<string> {
    const names = [...this.#known].flatMap(([name, known]) => (this.#untilGone(known) <= 0 ? [name] : []));
    return new Set(names);
  }

  /** As often as whoever writes most often: its record has to be seen to change. */
  get #beatMs(): number {
    const leases = [...this.#known.values()].map(({ record }) => leaseOf(record));
    return Math.min(this.#options.leaseMs, ...leases) * beatShare;
  }

  /** Ms, as of the last look. */
  #untilGone({ record, changedAt }: Known): number {
    return changedAt + leaseOf(record) * goneShare - (this.#readAt ?? changedAt);
  }

  /** The next look comes when a node is gone, if that is earlier. */
  get #untilNext(): number {
    const soon = [...this.#known.values()].map((known) => this.#untilGone(known)).filter((ms) => ms > 0);
    return Math.min(this.#beatMs, ...soon);
  }

  #stateOf({ node, stopped, draining }: NodeRecord): NodeRow['state'] {
    if (stopped) return 'stopped';
    if (!this.isAlive(node)) return 'away';
    return draining ? 'draining' : 'alive';
  }

  /** Beats at once, and from then on. Whoever had the name before gives it up. */
  join(): Promise<void> {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  /** It is not listed any more, unless it comes back. @throws when nobody can be asked */
  async forget(node: string): Promise<void> {
    const bucket = this.#options.bucket();
    if (!bucket) throw new Error('the nats-servers cannot be reached');
    const found = await bucket.get(keyOf(node), NodeRecord);
    if (found) await bucket.delete(keyOf(node), found.revision);
    this.#known.delete(node);
  }

  /** Resolves when no beat is under way. */
  get settled(): Promise<void> {
    return this.#beating ?? Promise.resolve();
  }

  /** Says that it goes. It may last as long as the servers do not answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#next?.();
    await this.settled;
    const bucket = this.#options.bucket();
    if (!bucket || this.#revision === 0 || this.#isTaken) return;
    await this.#write(bucket, true).catch(() => {});
  }

  async #beat(): Promise<void> {
    const { bucket, clock, log } = this.#options;
    this.#next?.();
    const store = bucket();
    try {
      if (store && !this.#isTaken) {
        if (this.#revision === 0) await this.#takeName(store);
        await this.#write(store, false);
      }
      if (store) {
        await this.#read(store);
        this.#options.looked();
      }
      this.#failure = undefined;
    } catch (error) {
      this.#failure = serverTrouble(error);
      log.debug('a beat of this node failed', { error });
    }
    const pause = this.#failure === undefined ? this.#untilNext : this.#beatMs * againShare;
    if (!this.#isClosed) this.#next = clock.after(pause, () => void this.join());
  }

  /** A record of an earlier start is replaced; a bridge that still writes it notices. */
  async #takeName(bucket: Bucket): Promise<void> {
    const before = await bucket.get(keyOf(this.#options.node), NodeRecord);
    this.#revision = before?.revision ?? 0;
  }

  async #write(bucket: Bucket, stopped: boolean): Promise<void> {
    const { node, instance, about, leaseMs, log, now, wrote } = this.#options;
    const since = now();
    const said = { version: 1, node, instance, lease_s: leaseMs / 1000, stopped } as const;
    const record: NodeRecord = { ...said, ...about() };
    const revision = await bucket.set(keyOf(node), record, this.#revision);
    if (revision !== undefined) {
      this.#revision = revision;
      if (!stopped) wrote(since);
      return;
    }
    const found = await bucket.get(keyOf(node), NodeRecord);
    // What timed out may have been written.
    if (!found || found.value?.instance === instance) {
      this.#revision = found?.revision ?? 0;
      return;
    }
    this.#isTaken = true;
    log.error('another bridge has the name of this node', { node });
    this.#options.taken();
  }

  async #read(bucket: Bucket): Promise<void> {
    const { clock, node } = this.#options;
    const entries = await bucket.list('node.', NodeRecord);
    const now = clock.now();
    // Nobody is away for the time in which this node could not look.
    const missed = Math.max(0, now - (this.#readAt ?? now) - 2 * this.#beatMs);
    const present = new Set<string>();
    for (const { value, revision } of entries) {
      if (value.node === node) continue;
      present.add(value.node);
      const known = this.#known.get(value.node);
      const since = known && known.revision === revision ? known.changedAt : now;
      this.#known.set(value.node, {
        record: value,
        revision,
        changedAt: Math.min(now, since + missed),
      });
    }
    for (const name of this.#known.keys()) if (!present.has(name)) this.#known.delete(name);
    this.#readAt = now;
  }
}

const keyOf = (node: string): string => `node.${node}`;

/** Ms. No record makes all others beat more often than a configuration can. */
const leaseOf = ({ lease_s }: NodeRecord): number => Math.max(leastLeaseSeconds, lease_s) * 1000;

const rowOf = (
  record: Pick<NodeRecord, 'node' | 'release' | 'started_at' | 'sessions' | 'live' | 'free_mb'>,
) => ({
  node: record.node,
  version: record.release,
  started_at: record.started_at,
  sessions: record.sessions,
  live: record.live,
  free_mb: record.free_mb,
});
