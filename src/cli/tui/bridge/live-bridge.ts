// The screen's way to a real bridge: a snapshot once, then every row after it, across restarts of the bridge.
import type { ControlMethod, ControlMethods } from '../../../domain/views/control.ts';
import type { BridgeClient } from '../../client/bridge-client.ts';
import type { OneBridge, OneBridgeNews } from './bridge-port.ts';

/** Rows before the snapshot that are fetched: the stream does not begin empty, and turns in work are known whole. */
const history = 1000;
/** A bridge that does not answer within this time is told to the operator, milliseconds. */
const answerMs = 15_000;
/** Claude Code may take its time to start. */
const startMs = 120_000;

export class LiveBridge implements OneBridge {
  readonly #client: BridgeClient;

  constructor(client: BridgeClient) {
    this.#client = client;
  }

  call<M extends ControlMethod>(
    method: M,
    params: ControlMethods[M]['params'],
  ): Promise<ControlMethods[M]['result']> {
    const timeoutMs = method === 'session.restart' ? startMs : answerMs;
    return this.#client.call(method, params, { timeoutMs });
  }

  watch(listener: (news: OneBridgeNews) => void): () => void {
    const watching = new Watching(this.#client, listener);
    const unlink = this.#client.onLink((link) => {
      listener({ kind: 'link', link });
      if (link.name === 'live') watching.connected();
    });
    this.#client.open();
    return () => {
      watching.close();
      unlink();
      this.#client.close();
    };
  }
}

/** Milliseconds between two looks at the bridge itself. */
const statusEveryMs = 5_000;

class Watching {
  readonly #client: BridgeClient;
  readonly #listener: (news: OneBridgeNews) => void;
  #unsubscribe: (() => void) | undefined;
  #next: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(client: BridgeClient, listener: (news: OneBridgeNews) => void) {
    this.#client = client;
    this.#listener = listener;
  }

  /** The client itself goes on with a subscription that was made; until then each connection tries anew. */
  connected(): void {
    void this.#askStatus();
    if (!this.#unsubscribe) void this.#begin();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#next);
    this.#unsubscribe?.();
  }

  /** Asked again and again: the connections to gateways have no rows in the journal. */
  async #askStatus(): Promise<void> {
    clearTimeout(this.#next);
    try {
      const status = await this.#client.call('bridge.status', {}, { timeoutMs: answerMs });
      if (!this.#closed) this.#listener({ kind: 'status', status });
    } catch {
      // The title says less; the link says why.
    }
    if (!this.#closed) this.#next = setTimeout(() => void this.#askStatus(), statusEveryMs);
  }

  async #begin(): Promise<void> {
    try {
      const snapshot = await this.#client.call('session.snapshot', {}, { timeoutMs: answerMs });
      if (this.#closed || this.#unsubscribe) return;
      this.#listener({ kind: 'snapshot', snapshot });
      this.#follow(snapshot.seq);
    } catch {
      // Lost again: the next connection begins anew.
    }
  }

  #follow(seq: number): void {
    this.#unsubscribe = this.#client.subscribe(
      { from: Math.max(0, seq - history) },
      {
        row: (row) => this.#listener({ kind: 'rows', rows: [row] }),
        reset: () => this.#startOver(),
        failed: () => this.#startOver(),
      },
    );
  }

  /** Another journal than before: what is known is void. */
  #startOver(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    void this.#begin();
  }
}
