// Holds the model, does what the keys want, and decides when to draw: at once for a key, paced for what comes by itself.
import type { Clock } from '../../../base/time/clock.ts';
import type { Notice } from '../../../domain/words/notice.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import type { BridgeNews, BridgePort } from '../bridge/bridge-port.ts';
import { Caller, worthACall } from '../bridge/caller.ts';
import { nodeOfCall } from '../nodes/nodes.ts';
import { Pacer } from '../terminal/pacer.ts';
import type { Call, Effect } from './effect.ts';
import type { Model } from './model.ts';
import { type Message, update } from './update.ts';

export interface StoreOptions {
  port: BridgePort;
  clock: Clock;
  /** CPU time of this process so far, milliseconds. */
  cpu(): number;
  /** A turn that takes longer is worth a call at its end, milliseconds. */
  longTurnMs: number;
  /** Effects that only the terminal's owner can have. */
  perform(effect: Exclude<Effect, Call>): void;
}

export class Store {
  readonly #options: StoreOptions;
  readonly #pacer: Pacer;
  /** By the machine whose rows it hears. */
  readonly #callers = new Map<string | undefined, Caller>();
  readonly #listeners = new Set<() => void>();
  #model: Model;
  #shown: Model | undefined;
  #news: BridgeNews[] = [];
  #unwatch: (() => void) | undefined;
  #stopTicking: (() => void) | undefined;

  constructor(model: Model, options: StoreOptions) {
    this.#model = model;
    this.#options = options;
    this.#pacer = new Pacer({ clock: options.clock, cpu: options.cpu, draw: () => this.#flush() });
  }

  get model(): Model {
    return this.#model;
  }

  /** For `useSyncExternalStore`: both are bound to this store. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): Model => this.#model;

  open(): void {
    this.#unwatch = this.#options.port.watch((news) => {
      this.#news.push(news);
      this.#pacer.ask();
    });
    this.#tick();
  }

  /** Idempotent. */
  close(): void {
    this.#unwatch?.();
    this.#stopTicking?.();
    this.#pacer.close();
    this.#listeners.clear();
  }

  /** Something a person did: it shows at once, and with it everything that came meanwhile. */
  act(message: Message): void {
    this.#takeNews();
    this.#apply(message);
    this.#show();
  }

  #flush(): void {
    this.#takeNews();
    if (this.#model !== this.#shown) this.#show();
  }

  #takeNews(): void {
    const news = this.#news;
    this.#news = [];
    const notices: Notice[] = [];
    for (const each of merged(news)) {
      if (each.kind === 'snapshot') this.#callerOf(each.node).snapshot(each.snapshot.seq);
      if (each.kind === 'rows') notices.push(...this.#callerOf(each.node).hear(each.rows));
      this.#apply({ type: 'news', news: each });
    }
    for (const notice of worthACall(notices, this.#model)) this.#do({ type: 'call-operator', notice });
  }

  #callerOf(node: string | undefined): Caller {
    const known = this.#callers.get(node) ?? new Caller(this.#options.longTurnMs);
    this.#callers.set(node, known);
    return known;
  }

  #apply(message: Message): void {
    const { model, effects } = update(this.#model, message);
    this.#model = model;
    for (const effect of effects) this.#do(effect);
  }

  #do(effect: Effect): void {
    if (effect.type === 'call') void this.#call(effect);
    else this.#options.perform(effect);
  }

  async #call(call: Call): Promise<void> {
    try {
      await this.#options.port.call(call.method, call.params, nodeOfCall(this.#model, call));
      this.act({ type: 'done', call });
    } catch (error) {
      const { message = 'It failed.', suggestion = '' } = error as { message?: string; suggestion?: string };
      this.act({ type: 'failed', call, message, suggestion });
    }
  }

  /** Clocks on the screen move once a second. */
  #tick(): void {
    const { clock } = this.#options;
    this.#stopTicking = clock.after(1000, () => {
      this.#apply({ type: 'tick', now: clock.wall() });
      this.#pacer.ask();
      this.#tick();
    });
  }

  #show(): void {
    this.#shown = this.#model;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Rows of one journal that follow one another are folded in one go. */
function merged(news: readonly BridgeNews[]): BridgeNews[] {
  const result: BridgeNews[] = [];
  let last: { rows: JournalRow[]; node?: string } | undefined;
  for (const each of news) {
    if (each.kind !== 'rows') {
      last = undefined;
      result.push(each);
    } else if (last && last.node === each.node) {
      for (const row of each.rows) last.rows.push(row);
    } else {
      const begun = { ...each, rows: [...each.rows] };
      result.push(begun);
      last = begun;
    }
  }
  return result;
}
