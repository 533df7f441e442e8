// The long way to a bridge: connected for as long as it is wanted. When the bridge goes away and comes back, every
// subscription goes on after the last row it saw: no row is missing, none comes twice.
import { backoff } from '../../base/time/backoff.ts';
import { type Cancel, type Clock, systemClock } from '../../base/time/clock.ts';
import type { ControlMethod, ControlMethods, EventsParams } from '../../domain/views/control.ts';
import type { JournalRow } from '../../protocol/events/events.ts';
import { CliError } from '../cli-error.ts';
import { connectBridge } from './control-client.ts';
import type { CallOptions, Prover, RpcConnection } from './rpc-connection.ts';

/** The way to the bridge. */
export type Link =
  | { name: 'connecting' }
  | { name: 'live' }
  /** `retryAt`: epoch ms of the next attempt. */
  | { name: 'lost'; attempt: number; retryAt: number; why: string };

export interface Subscriber {
  row(row: JournalRow): void;
  /** Everything that was stored when the connection was made has come. */
  live?(seq: number): void;
  /** `slow: 'skip'` only. */
  gap?(from: number, to: number): void;
  /** The journal is another one than before: what was read of it is void; it is read anew from its beginning or end. */
  reset?(): void;
  /** The bridge refuses the subscription, e.g. because the session is gone. It is not tried again. */
  failed?(error: CliError): void;
}

export interface BridgeClientOptions {
  /** State directory of the bridge. */
  state: string;
  /** Whose bridge, by way of the one there; as `connectBridge` has it. */
  node?: string;
  clock?: Clock;
  /** Gets what proves a decision; by default it is asked for at the terminal. */
  prover?: Prover;
}

interface Subscription {
  params: EventsParams;
  subscriber: Subscriber;
  /** Seq of the last row that it has; undefined before the first answer to "from now on". */
  cursor: number | undefined;
  end: AbortController;
}

const retry = { baseMs: 250, factor: 1.7, maxMs: 5_000 };
/** Unlike the system clock's, these timers keep the process alive: it waits for its bridge. */
const patientClock: Clock = {
  ...systemClock,
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};

const notThere = () =>
  new CliError(
    'not_running',
    'not_running',
    'The bridge is not there at the moment.',
    'It is tried again by itself; start it with `synthesis up` if it has ended.',
  );

export class BridgeClient {
  readonly #state: string;
  readonly #node: string | undefined;
  readonly #clock: Clock;
  readonly #prover: Prover | undefined;
  readonly #subscriptions = new Set<Subscription>();
  readonly #watchers = new Set<(link: Link) => void>();
  #connection: RpcConnection | undefined;
  #link: Link = { name: 'connecting' };
  #attempt = 0;
  #cancelRetry: Cancel | undefined;
  #closed = false;

  constructor({ state, node, clock = patientClock, prover }: BridgeClientOptions) {
    this.#state = state;
    this.#node = node;
    this.#clock = clock;
    this.#prover = prover;
  }

  get link(): Link {
    return this.#link;
  }

  /** Begins to connect, and goes on until `close`. */
  open(): void {
    void this.#connect();
  }

  /** Calls back at every change of the link. @returns the function that ends it. */
  onLink(watcher: (link: Link) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** @throws CliError `not_running` at once when there is no connection, `hung_up` when it is lost meanwhile. */
  async call<M extends ControlMethod>(
    method: M,
    params: ControlMethods[M]['params'],
    options: CallOptions = {},
  ): Promise<ControlMethods[M]['result']> {
    if (!this.#connection) throw notThere();
    return this.#connection.call(method, params, options);
  }

  /** Rows from `params.from` on, across every restart of the bridge. @returns the function that ends it. */
  subscribe(params: EventsParams, subscriber: Subscriber): () => void {
    const subscription = { params, subscriber, cursor: params.from, end: new AbortController() };
    this.#subscriptions.add(subscription);
    if (this.#connection) void this.#feed(subscription, this.#connection);
    return () => {
      this.#subscriptions.delete(subscription);
      subscription.end.abort();
    };
  }

  /** Hangs up and stops trying. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#cancelRetry?.();
    this.#connection?.close();
    for (const { end } of this.#subscriptions) end.abort();
    this.#subscriptions.clear();
    this.#watchers.clear();
  }

  async #connect(): Promise<void> {
    try {
      const connection = await connectBridge(this.#state, this.#node);
      if (this.#closed) return connection.close();
      if (this.#prover) connection.prover = this.#prover;
      this.#connection = connection;
      this.#attempt = 0;
      this.#tell({ name: 'live' });
      for (const each of this.#subscriptions) void this.#feed(each, connection);
      await connection.closed;
      this.#connection = undefined;
      this.#retry('The bridge hung up.');
    } catch (error) {
      this.#retry(error instanceof Error ? error.message : String(error));
    }
  }

  #retry(why: string): void {
    if (this.#closed) return;
    this.#attempt += 1;
    const ms = backoff(retry, this.#attempt);
    this.#cancelRetry = this.#clock.after(ms, () => void this.#connect());
    this.#tell({ name: 'lost', attempt: this.#attempt, retryAt: this.#clock.wall() + ms, why });
  }

  #tell(link: Link): void {
    this.#link = link;
    for (const watcher of [...this.#watchers]) watcher(link);
  }

  async #feed(subscription: Subscription, connection: RpcConnection): Promise<void> {
    const { params, cursor, end, subscriber } = subscription;
    const { from: _, since, ...rest } = params;
    const place = cursor !== undefined ? { from: cursor } : since !== undefined ? { since } : {};
    try {
      await connection.call(
        'events.subscribe',
        { ...rest, ...place },
        {
          signal: end.signal,
          onNotification: (method, given) => {
            if (!end.signal.aborted) take(subscription, method, given);
          },
        },
      );
    } catch (error) {
      if (end.signal.aborted || !(error instanceof CliError) || error.code === 'hung_up') return;
      if (error.code !== 'no_such_row') {
        this.#subscriptions.delete(subscription);
        return subscriber.failed?.(error);
      }
      subscription.cursor = params.from === undefined ? undefined : 0;
      subscriber.reset?.();
      if (!end.signal.aborted) void this.#feed(subscription, connection);
    }
  }
}

function take(subscription: Subscription, method: string, params: Record<string, unknown>): void {
  const { subscriber } = subscription;
  switch (method) {
    case 'event': {
      const row = params.row as JournalRow;
      subscription.cursor = row.seq;
      return subscriber.row(row);
    }
    case 'live': {
      const seq = Number(params.seq);
      subscription.cursor = seq;
      return subscriber.live?.(seq);
    }
    case 'gap': {
      const [from, to] = [Number(params.from), Number(params.to)];
      subscription.cursor = to;
      return subscriber.gap?.(from, to);
    }
    default:
      return;
  }
}
