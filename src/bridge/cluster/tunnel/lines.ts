// This node's lines to the others, over whichever connection there is: it is called, and calls.
import type { Duplex } from 'node:stream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Log } from '../../../base/log.ts';
import { type Clock, pause } from '../../../base/time/clock.ts';
import { TunnelEndpoint } from './endpoint.ts';
import type { TunnelHello } from './hello.ts';
import { TunnelError } from './tunnel-error.ts';

/** For another node to take a connection, ms. */
const dialMs = 3_000;

export interface LinesOptions {
  /** Of the cluster. */
  name: string;
  node: string;
  inboxPrefix: string;
  /** Whether the connection is there now. Waits for one that was lost a moment ago. */
  ready(): Promise<boolean>;
  /** Whether another node may just be coming back, as this one is. */
  isEarly(node: string): boolean;
  /** Before a node that is coming back is called again, ms. */
  againMs: number;
  accept(tunnel: Duplex, hello: TunnelHello): void;
  clock: Clock;
  log: Log;
}

export class Lines {
  readonly #options: LinesOptions;
  #open: { endpoint: TunnelEndpoint; connection: NatsConnection } | undefined;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  /** Others reach this node by that connection from now on. Idempotent. */
  async open(connection: NatsConnection): Promise<void> {
    if (this.#open?.connection === connection) return;
    await this.close();
    const { node, inboxPrefix, accept, clock, log } = this.#options;
    const endpoint = new TunnelEndpoint({ connection, clock, log, inboxPrefix });
    endpoint.listen(this.#subject(node), accept);
    this.#open = { endpoint, connection };
  }

  /** @throws TunnelError when it cannot be reached */
  async dial(node: string, hello: Omit<TunnelHello, 'from'>): Promise<Duplex> {
    const { ready, isEarly, againMs, clock, node: from } = this.#options;
    const isReady = await ready();
    if (!this.#open || !isReady) throw new TunnelError('closed', 'The nats-servers cannot be reached.');
    const { endpoint } = this.#open;
    for (;;)
      try {
        return await endpoint.dial(this.#subject(node), { ...hello, from }, dialMs);
      } catch (error) {
        // Both have lost the same server, and the other is not back yet.
        if (!isEarly(node) || !(error instanceof TunnelError) || error.code !== 'no_listener') throw error;
        await pause(clock, againMs);
      }
  }

  async close(): Promise<void> {
    await this.#open?.endpoint.close();
  }

  #subject(node: string): string {
    return `${this.#options.name}.node.${node}.dial`;
  }
}
