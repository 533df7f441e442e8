// This bridge as one of several. What nobody configures is not loaded, and then everything is here.
import { existsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Config } from '../../protocol/config.ts';
import type { Health, JournalRow } from '../../protocol/events.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { MoveDesk } from '../app/moves/move-desk.ts';
import { transcriptFor, transcriptOf } from '../claude/transcripts.ts';
import type { Cluster, ClusterOptions } from '../cluster/cluster.ts';
import type { ClusterDesk } from '../control/control-ports.ts';
import type { Elsewhere } from '../ingress/openai/elsewhere.ts';
import { launchOptions, pinnedNode } from '../profiles.ts';

export interface ClusterPartOptions {
  config: Config & { cwd: string };
  version: string;
  startedAt: string;
  dispatcher: Dispatcher;
  live(): number;
  /** Deletes what is kept of a removed conversation. */
  forget(key: string): Promise<void>;
  /** Folder of Claude Code's own. */
  claude: string;
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
    this.elsewhere = { send: (exchange, about) => this.#loaded.whereabouts.send(exchange, about) };
    this.desk = {
      view: () => this.#loaded.view(),
      dial: (node) => this.#loaded.desk.dial(node),
      move: (key, node, ms, signal) => this.#loaded.desk.move(key, node, ms, signal),
      drain: (ms, signal) => this.#loaded.desk.drain(ms, signal),
      forget: (node) => this.#loaded.desk.forget(node),
    };
  }

  get health(): Health[] {
    return this.#cluster?.health ?? [];
  }

  /** Before anybody can ask. @param accept connections of other nodes */
  async load(accept: Record<'http' | 'control', (connection: Duplex) => void>): Promise<void> {
    const options = this.#options;
    const { config, version, startedAt, dispatcher, live, log } = options;
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
      moves: movePort(options),
      clock: systemClock,
      log,
    });
  }

  /** Before a conversation gets a message of an operator here. @throws OperatorError `elsewhere` */
  async mayTake(key: string): Promise<void> {
    await this.#cluster?.whereabouts.mayTake(key);
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

/** The conversations of this machine, as they go to others and come from them. */
function movePort({ config, dispatcher, claude, forget }: ClusterPartOptions): ClusterOptions['moves'] {
  const launchFor = (key: string) => launchOptions(config, key);
  const desk = new MoveDesk({ dispatcher, clock: systemClock, launchFor });
  return {
    get onTheWay() {
      return desk.onTheWay;
    },
    leave: (key, node, ms, signal) => desk.leave(key, node, ms, signal),
    house: (key) => desk.house(key),
    gone: (key) => desk.gone(key),
    forget: async (key) => {
      await desk.discard(key);
      await forget(key);
    },
    arrive: ({ session, from, state }) => desk.arrive(session, from, state),
    expect: (key) => {
      const { cwd } = launchFor(key);
      if (!existsSync(cwd)) throw new Error(`there is no folder ${cwd}, which it would work in`);
    },
    transcript: (id) => transcriptOf(claude, id),
    transcriptFor: (key, id) => transcriptFor(claude, id, launchFor(key).cwd),
  };
}
