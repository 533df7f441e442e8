// This bridge as one of several. What nobody configures is not loaded, and then everything is here.
import type { Duplex } from 'node:stream';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Config } from '../../protocol/config.ts';
import type { Health, JournalRow } from '../../protocol/events.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterDesk } from '../control/control-ports.ts';
import type { Elsewhere } from '../ingress/openai/elsewhere.ts';
import { pinnedNode } from '../profiles.ts';

export interface ClusterPartOptions {
  config: Config;
  version: string;
  startedAt: string;
  dispatcher: Dispatcher;
  live(): number;
  log: Log;
}

export class ClusterPart {
  readonly #options: ClusterPartOptions;
  /** For the port; undefined where no cluster is configured. */
  readonly elsewhere: Elsewhere | undefined;
  /** For operators. */
  readonly desk: ClusterDesk | undefined;
  #cluster: Cluster | undefined;

  constructor(options: ClusterPartOptions) {
    this.#options = options;
    if (!options.config.cluster) return;
    this.elsewhere = { send: (exchange, about) => this.#loaded.send(exchange, about) };
    this.desk = {
      view: () => this.#loaded.view(),
      dial: (node) => this.#loaded.dial(node),
    };
  }

  get health(): Health[] {
    return this.#cluster?.health ?? [];
  }

  /** Before anybody can ask. @param accept connections of other nodes */
  async load(accept: Record<'http' | 'control', (connection: Duplex) => void>): Promise<void> {
    const { config, version, startedAt, dispatcher, live, log } = this.#options;
    if (!config.cluster) return;
    const { Cluster } = await import('../cluster/cluster.ts');
    this.#cluster = new Cluster({
      settings: config.cluster,
      release: version,
      startedAt,
      keys: () => dispatcher.sessions().map(({ key }) => key),
      has: (key) => dispatcher.session(key)?.removed === false,
      live,
      pinOf: (key) => pinnedNode(config, key),
      accept,
      clock: systemClock,
      log,
    });
  }

  /** Before an operator begins a conversation here. @throws OperatorError `elsewhere` */
  async mayBegin(key: string): Promise<void> {
    await this.#cluster?.mayBegin(key);
  }

  observe(row: JournalRow): void {
    this.#cluster?.observe(row);
  }

  /** Once what was there before goes on. */
  start(): void {
    this.#cluster?.start();
  }

  async close(): Promise<void> {
    await this.#cluster?.close();
  }

  get #loaded(): Cluster {
    if (!this.#cluster) throw new Error('the cluster is asked before it is loaded');
    return this.#cluster;
  }
}
