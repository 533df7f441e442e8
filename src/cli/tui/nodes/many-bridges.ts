// The screen's way to all machines of a cluster: the bridge here, and by way of it each other one.
import type { ControlMethod, ControlMethods } from '../../../domain/views/control.ts';
import { nodeDoubt } from '../../../domain/views/words/node-doubt.ts';
import { CliError } from '../../cli-error.ts';
import type { BridgeNews, BridgePort, OneBridge } from '../bridge/bridge-port.ts';

export interface ManyBridgesOptions {
  /** What the machine here is called. */
  here: string;
  own: OneBridge;
  /** The way to another machine. Nothing is done before it is watched. */
  to(node: string): OneBridge;
}

interface Other {
  bridge: OneBridge;
  unwatch(): void;
}

/** What is to be done on each of them. */
const everywhere: ReadonlySet<ControlMethod> = new Set(['bridge.panic', 'bridge.resume']);

export class ManyBridges implements BridgePort {
  readonly #options: ManyBridgesOptions;
  readonly #others = new Map<string, Other>();
  #here: string;
  #listener: ((news: BridgeNews) => void) | undefined;

  constructor(options: ManyBridgesOptions) {
    this.#options = options;
    this.#here = options.here;
  }

  watch(listener: (news: BridgeNews) => void): () => void {
    const { own } = this.#options;
    this.#listener = listener;
    listener({ kind: 'nodes', here: this.#here, others: [], cutOff: false });
    const unwatch = own.watch((news) => {
      listener(news);
      // It is asked how it is every few seconds, and who else is there as often.
      if (news.kind === 'status') void this.#look();
    });
    return () => {
      this.#listener = undefined;
      unwatch();
      for (const { unwatch } of this.#others.values()) unwatch();
      this.#others.clear();
    };
  }

  async call<M extends ControlMethod>(
    method: M,
    params: ControlMethods[M]['params'],
    node = this.#here,
  ): Promise<ControlMethods[M]['result']> {
    if (everywhere.has(method)) return await this.#callAll(method, params);
    if (node === this.#here) return await this.#options.own.call(method, params);
    return await this.#callOther(node, method, params);
  }

  async #callOther<M extends ControlMethod>(
    node: string,
    method: M,
    params: ControlMethods[M]['params'],
  ): Promise<ControlMethods[M]['result']> {
    try {
      const result = await this.#others.get(node)?.bridge.call(method, params);
      if (result !== undefined) return result;
    } catch (error) {
      // There is no connection: what one tells that is there is in its own words.
      if (!(error instanceof CliError) || error.code !== 'not_running') throw error;
    }
    throw new CliError(
      'not_running',
      'node_away',
      `${node} cannot be reached. Nothing was done.`,
      'It is tried again by itself.',
    );
  }

  /** @throws CliError which ones were not told, when some were not, or that this is not known */
  async #callAll<M extends ControlMethod>(
    method: M,
    params: ControlMethods[M]['params'],
  ): Promise<ControlMethods[M]['result']> {
    const { own } = this.#options;
    const others = [...this.#others.keys()];
    const [here, looked, ...rest] = await Promise.allSettled([
      own.call(method, params),
      this.#look(),
      ...others.map((node) => this.#callOther(node, method, params)),
    ] as const);
    if (here.status === 'rejected') throw here.reason;
    const late = [...this.#others.keys()].filter((node) => !others.includes(node));
    const untold = [...others.filter((_, at) => rest[at]?.status === 'rejected'), ...late];
    const isSure = looked.status === 'fulfilled' && looked.value;
    if (untold.length === 0 && isSure) return here.value;
    const silent = `It was done, but not on ${untold.join(', ')}: no answer came from there.`;
    throw new CliError(
      'failure',
      'node_away',
      untold.length > 0 ? silent : 'It was done, but there may be other machines that were not told.',
      'Repeat it once they are back.',
    );
  }

  /** @returns whether it is known which others there are */
  async #look(): Promise<boolean> {
    const { own, to } = this.#options;
    const view = await own.call('cluster.status', {}).catch(() => undefined);
    const listener = this.#listener;
    if (!view || !listener) return view === null;
    const { node: here, state } = view;
    const isSure = nodeDoubt(view) === undefined;
    const isWanted = (each: (typeof view.nodes)[number]) =>
      each.node !== here && (each.state !== 'stopped' || this.#others.has(each.node));
    this.#here = here;
    const cutOff = state !== 'connected';
    const found = cutOff ? [] : view.nodes.filter(isWanted).map(({ node }) => node);
    // While others are not known, or cannot be asked, those that were known stay.
    const others = isSure ? found : [...new Set([...this.#others.keys(), ...found])];
    for (const [node, { unwatch }] of this.#others) {
      if (others.includes(node)) continue;
      unwatch();
      this.#others.delete(node);
    }
    listener({ kind: 'nodes', here, others, cutOff });
    for (const node of others) {
      if (this.#others.has(node)) continue;
      const bridge = to(node);
      this.#others.set(node, {
        bridge,
        unwatch: bridge.watch((news) => listener({ ...news, node })),
      });
    }
    return isSure;
  }
}
