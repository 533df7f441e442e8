// An operator at the screen of a cluster: a bridge for each machine that does what the test says, and the real way to them.
import { setImmediate as settled } from 'node:timers/promises';
import { CliError } from '../../../src/cli/cli-error.ts';
import type { OneBridge, OneBridgeNews } from '../../../src/cli/tui/bridge/bridge-port.ts';
import type { Effect } from '../../../src/cli/tui/model/effect.ts';
import { newModel } from '../../../src/cli/tui/model/model.ts';
import { Store } from '../../../src/cli/tui/model/store.ts';
import { ManyBridges } from '../../../src/cli/tui/nodes/many-bridges.ts';
import { screenText } from '../../../src/cli/tui/terminal/screen.ts';
import type { Session } from '../../../src/domain/state/session.ts';
import type { ClusterView, NodeRow } from '../../../src/domain/views/cluster.ts';
import { packSession } from '../../../src/domain/views/snapshot.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Journal, keysOf, noon } from './seat.ts';

/** A bridge that was there before the screen: rows that it has are told once it is watched. */
export class ScriptedBridge extends Journal implements OneBridge {
  readonly calls: { method: string; params: object }[] = [];
  view: ClusterView | null = null;
  /** What calls end with. */
  failure: Error | undefined;
  isThere = true;
  isWatched = false;
  #listener: ((news: OneBridgeNews) => void) | undefined;

  /** @param seq of its last row before all this */
  constructor(seq = 0) {
    super();
    this.seq = seq;
  }

  watch(listener: (news: OneBridgeNews) => void): () => void {
    this.#listener = listener;
    this.isWatched = true;
    if (this.isThere) this.comes();
    else this.goes();
    return () => {
      this.#listener = undefined;
      this.isWatched = false;
    };
  }

  async call(method: string, params: object): Promise<never> {
    this.calls.push({ method, params });
    if (this.failure) throw this.failure;
    if (!this.isThere) throw new CliError('not_running', 'not_running', 'The bridge is not there.', '');
    return (method === 'cluster.status' ? this.view : {}) as never;
  }

  news(news: OneBridgeNews): void {
    this.#listener?.(news);
  }

  comes(sessions: readonly Session[] = [], seq = this.seq): void {
    this.isThere = true;
    this.seq = seq;
    this.news({ kind: 'link', link: { name: 'live' } });
    this.news({ kind: 'snapshot', snapshot: { seq, sessions: sessions.map(packSession) } });
  }

  /** Connected again: its subscription goes on. */
  isBack(): void {
    this.isThere = true;
    this.news({ kind: 'link', link: { name: 'live' } });
  }

  goes(): void {
    this.isThere = false;
    this.news({ kind: 'link', link: { name: 'lost', attempt: 1, retryAt: noon, why: 'It is away.' } });
  }
}

export class ClusterSeat {
  readonly clock = new ManualClock();
  readonly bridges: ReadonlyMap<string, ScriptedBridge>;
  readonly store: Store;
  readonly port: ManyBridges;
  readonly performed: Effect[] = [];

  /** @param names of machines, the one of the screen first */
  constructor(names: readonly [string, ...string[]], columns = 80, rows = 24, wanted?: string) {
    const [here] = names;
    this.bridges = new Map(names.map((name, at) => [name, new ScriptedBridge(at * 1000)]));
    this.port = new ManyBridges({ here, own: this.at(here), to: (node) => this.at(node) });
    this.store = new Store(newModel({ columns, rows }, noon, wanted), {
      port: this.port,
      clock: this.clock,
      cpu: () => 0,
      longTurnMs: 60_000,
      perform: (effect) => this.performed.push(effect),
    });
    this.store.open();
  }

  at(name: string): ScriptedBridge {
    const bridge = this.bridges.get(name);
    if (!bridge) throw new Error(`no bridge ${name}`);
    return bridge;
  }

  /** The bridge here says how it is, and is asked who else there is. */
  async sees(states: Record<string, NodeRow['state']>, about?: Partial<ClusterView>): Promise<void> {
    this.knows(states, about).status({});
    await settled();
  }

  /** What the bridge here knows of others, when it is asked. */
  knows(states: Record<string, NodeRow['state']>, view: Partial<ClusterView> = {}): ScriptedBridge {
    const [[first, own] = ['', undefined]] = this.bridges;
    if (!own) throw new Error('no bridge here');
    const about = { version: '', started_at: '', sessions: 0, live: 0, free_mb: 0 };
    const here = view.node ?? first;
    const nodes = Object.entries({ [here]: 'here', ...states } as const).map(
      ([node, each]): NodeRow => ({ ...about, node, state: each }),
    );
    const link = { state: 'connected', server: null, reason: null } as const;
    own.view = { name: 'c', node: here, ...link, takeover: null, nodes, ...view };
    return own;
  }

  async press(...names: string[]): Promise<void> {
    for (const message of keysOf(names)) this.store.act(message);
    await settled();
  }

  get rows(): string[] {
    this.clock.advance(1_000);
    return screenText(this.store.model).map((row) => row.trimEnd());
  }

  get screen(): string {
    return this.rows.join('\n');
  }

  /** The row with this text in it; '' without one. */
  row(text: string): string {
    return this.rows.find((row) => row.includes(text)) ?? '';
  }

  /** What a machine was asked to do, but for how it is. */
  done(name: string): { method: string; params: object }[] {
    return this.at(name).calls.filter(({ method }) => method !== 'cluster.status');
  }
}
