// This bridge as one of several. What nobody configures is not loaded, and then everything is here.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { systemClock } from '../../base/time/clock.ts';
import { openAsks } from '../../domain/state/session.ts';
import type { ErasedOnServers } from '../../domain/views/control.ts';
import type { Health, JournalRow } from '../../protocol/events/events.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { MoveDesk } from '../app/moves/move-desk.ts';
import type { CopyPort } from '../app/ports.ts';
import { memoryFolder } from '../claude/launch/memory-folder.ts';
import { transcriptFor, transcriptOf } from '../claude/transcripts.ts';
import type { Cluster, ClusterOptions } from '../cluster/cluster.ts';
import type { ClusterDesk } from '../control/control-ports.ts';
import { ErasureFile } from '../erasure-file.ts';
import type { Elsewhere } from '../ingress/openai/elsewhere.ts';
import { launchOptions, mayBeTakenOver, pinnedNode, sharesMemory } from '../profiles.ts';

export interface ClusterPartOptions {
  config: Config & { cwd: string };
  version: string;
  stateDir: string;
  startedAt: string;
  dispatcher: Dispatcher;
  live(): number;
  /** Deletes what is kept of a removed conversation. */
  forget(key: string): Promise<void>;
  /** Folder of Claude Code's own. */
  claude: string;
  /**
   * The Claude Code of a conversation ends by itself after that, ms, unless this is said again. Undefined: it may stay for
   * as long as it likes.
   */
  lease(key: string, ms: number | undefined): void;
  log: Log;
}

export class ClusterPart {
  readonly #options: ClusterPartOptions;
  /** For the port; undefined where no cluster is configured. */
  readonly elsewhere: Elsewhere | undefined;
  /** For operators. */
  readonly desk: ClusterDesk | undefined;
  readonly #desk: MoveDesk;
  #cluster: Cluster | undefined;

  constructor(options: ClusterPartOptions) {
    this.#options = options;
    const launchFor = (key: string) => launchOptions(options.config, key);
    this.#desk = new MoveDesk({ dispatcher: options.dispatcher, clock: systemClock, launchFor });
    if (!options.config.cluster) return;
    this.elsewhere = {
      send: (exchange, about) => {
        const { whereabouts } = this.#loaded;
        return about.digest === undefined
          ? whereabouts.send(exchange, about)
          : whereabouts.follow(exchange, about);
      },
    };
    this.desk = {
      view: () => this.#loaded.view(),
      servers: () => this.#loaded.servers(),
      dial: (node, may) => this.#loaded.desk.dial(node, may),
      move: (key, node, ms, signal) => this.#loaded.desk.move(key, node, ms, signal),
      drain: (ms, signal) => this.#loaded.desk.drain(ms, signal),
      forget: (node) => this.#loaded.desk.forget(node),
    };
  }

  get health(): Health[] {
    return this.#cluster?.health ?? [];
  }

  /** Before anybody can ask. @param accept connections of other nodes */
  async load(accept: ClusterOptions['accept']): Promise<void> {
    const options = this.#options;
    const { config, version, startedAt, dispatcher, live, log } = options;
    if (!config.cluster) return;
    const { Cluster } = await import('../cluster/cluster.ts');
    const cluster = new Cluster({
      settings: config.cluster,
      release: version,
      startedAt,
      keys: () => dispatcher.sessions().map(({ key }) => key),
      has: (key) => dispatcher.session(key)?.removed === false,
      live,
      asking: () => dispatcher.sessions().flatMap((session) => openAsks(session).map(({ code }) => code)),
      pinOf: (key) => pinnedNode(config, key),
      accept,
      ...conversations(options, this.#desk),
      erasures: new ErasureFile(options.stateDir),
      files: {
        folders: (key) => ({ memory: join(options.stateDir, memoryFolder(key)) }),
        isOwn: (key) => !sharesMemory(config, key),
      },
      clock: systemClock,
      log,
    });
    this.#cluster = cluster;
    cluster.hold();
  }

  /** What else keeps some of the conversations. */
  get copies(): CopyPort | undefined {
    return this.#cluster?.copies;
  }

  /** Before a conversation gets a message of an operator here. @throws OperatorError `elsewhere` */
  async mayTake(key: string): Promise<void> {
    await this.#cluster?.whereabouts.mayTake(key);
  }

  /** Files of a conversation that do not go along to another machine, each in words. */
  async staysOf(key: string): Promise<string[]> {
    return (await this.#cluster?.staysOf(key)) ?? [];
  }

  /** See `OperatorOptions.erased`. */
  async erased(key: string): Promise<ErasedOnServers | undefined> {
    return await this.#cluster?.erased(key);
  }

  /** Whether a question of another machine has this code. */
  asks(code: string): boolean {
    return this.#cluster?.asks(code) ?? false;
  }

  observe(row: JournalRow): void {
    this.#cluster?.observe(row);
  }

  /** See `AgentOptions.leaseOf`. */
  leaseOf(key: string): number | undefined {
    return this.#cluster?.leaseOf(key);
  }

  /** Once what was there before goes on. */
  start(): void {
    const { config, dispatcher, lease } = this.#options;
    // What the bridge before could lose to another machine, and this one cannot, waits for nobody any more.
    for (const { key, move } of dispatcher.sessions())
      if (!mayBeTakenOver(config, key)) {
        lease(key, undefined);
        if (move?.as === 'held' && !config.cluster) void this.#desk.house(key, true);
      }
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
function conversations(
  { config, dispatcher, claude, forget, lease }: ClusterPartOptions,
  desk: MoveDesk,
): Pick<ClusterOptions, 'moves' | 'takeover'> {
  const node = config.cluster?.node ?? '';
  const refusal = (key: string): string | undefined => {
    const { cwd } = launchOptions(config, key);
    return existsSync(cwd) ? undefined : `there is no folder ${cwd}, which it would work in`;
  };
  const pathFor = (key: string, id: string) => transcriptFor(claude, id, launchOptions(config, key).cwd);
  return {
    moves: {
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
        const why = refusal(key);
        if (why !== undefined) throw new Error(why);
        // It would write into what comes.
        if (!desk.isFree(key)) throw new Error('the Claude Code that had it there has not ended yet');
      },
      transcript: (id) => transcriptOf(claude, id),
      transcriptFor: pathFor,
    },
    takeover: {
      isOn: config.cluster?.takeover === true || config.profiles.some(({ takeover }) => takeover),
      wants: (key) => mayBeTakenOver(config, key),
      refusal: (key) => (mayBeTakenOver(config, key) ? refusal(key) : 'it is not to be taken over here'),
      free: (key) => desk.free(key, new AbortController().signal),
      isHeld: (key) => dispatcher.session(key)?.move?.as === 'held',
      hold: (key, ends) => desk.hold(key, node, ends),
      house: (key, held) => desk.house(key, held),
      lease,
      arrive: async (key, from, state) => {
        await desk.arrive(key, from, state);
        desk.recover(key, from);
      },
      transcriptFor: pathFor,
      session: (key) => dispatcher.session(key),
      seq: () => dispatcher.seq,
    },
  };
}
