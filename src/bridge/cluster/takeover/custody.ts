// The conversations of this node that another may take over: kept on the servers, and gone on with for as long as nobody
// else may do so.
import type { Log } from '../../../base/log.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import type { Copies } from '../copies/copies.ts';
import type { Homes } from '../homes.ts';

/** Those that are looked for at once. */
const atOnce = 16;

/** The conversations of this machine: `bridge/app/moves` and `bridge/claude` fit by shape. */
export interface CustodyPort {
  /** Whether another node may go on with one of this key. */
  wants(key: string): boolean;
  /** Keys of all that are here. */
  keys(): readonly string[];
  isHeld(key: string): boolean;
  /** Nothing is begun in it. @param ends what runs of it ends, too */
  hold(key: string, ends: boolean): void;
  /** What waits goes on. @param held also what is held */
  house(key: string, held: boolean): Promise<void>;
  gone(key: string): Promise<void>;
  /** Its Claude Code ends by itself after that, unless this is said again. */
  lease(key: string, ms: number): void;
}

export interface CustodyOptions {
  node: string;
  port: CustodyPort;
  copies: Copies;
  homes: Pick<Homes, 'read' | 'forget'>;
  seq(): number;
  log: Log;
}

export class Custody {
  readonly #options: CustodyOptions;
  readonly #housing = new Map<string, Promise<void>>();
  readonly #leaving = new Set<string>();
  #looking: Promise<void> | undefined;

  constructor(options: CustodyOptions) {
    this.#options = options;
  }

  /** What a bridge has left: another node may have it by now. What still runs of it is kept from the first row on. */
  begin(): void {
    for (const key of this.#wanted) {
      this.#hold(key, false);
      this.#options.copies.begin(key);
    }
  }

  /** Another node may have them from now on: what runs of them ends. */
  ended(): void {
    for (const key of this.#wanted) this.#hold(key, true);
  }

  /** This node may go on for so long, ms. */
  renewed(ms: number): void {
    const { port, copies } = this.#options;
    for (const key of copies.keys) port.lease(key, ms);
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = undefined;
    });
  }

  /** What happens in one that is here, or begins. */
  observe(row: JournalRow): void {
    const { port, copies } = this.#options;
    // Whatever is still to be erased of one that was removed.
    if (row.event.type === 'session.opened' && port.wants(row.session)) copies.begin(row.session);
    copies.add(row);
  }

  /** It lives here: all of it is on the servers, and then what waits in it goes on. */
  house(key: string): Promise<void> {
    const housing = this.#housing.get(key) ?? this.#house(key).finally(() => this.#housing.delete(key));
    this.#housing.set(key, housing);
    return housing;
  }

  /** Its rows are no part of what is on the servers any more. */
  async gone(key: string): Promise<void> {
    const { port, copies, homes } = this.#options;
    this.#leaving.add(key);
    copies.drop(key);
    await port.gone(key).finally(() => this.#leaving.delete(key));
    homes.forget(key);
  }

  /** Whether it is removed here because it lives elsewhere. */
  isLeaving(key: string): boolean {
    return this.#leaving.has(key);
  }

  /** Another node was found to have it. */
  async lost(key: string): Promise<void> {
    this.#hold(key, true);
    await this.#look(key);
  }

  get #wanted(): string[] {
    const { port } = this.#options;
    return port.keys().filter((key) => port.wants(key));
  }

  #hold(key: string, ends: boolean): void {
    const { port, copies } = this.#options;
    // Whoever waits for it is told now, and what ends it waits for nobody.
    copies.drop(key);
    port.hold(key, ends);
  }

  async #lookAll(): Promise<void> {
    const { port } = this.#options;
    const held = port.keys().filter((key) => port.isHeld(key));
    const work = async () => {
      for (let key = held.pop(); key !== undefined; key = held.pop()) await this.#look(key);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  /** What is held goes on where the bucket says. Never rejects. */
  async #look(key: string): Promise<void> {
    const { node, homes, port, log } = this.#options;
    try {
      const owner = await homes.read(key);
      if (!port.isHeld(key)) return;
      if (owner === undefined || owner === node) return await this.house(key);
      await this.gone(key);
      log.info('another node goes on with it', { session: key, node: owner });
    } catch (error) {
      log.debug('whether a conversation still lives here is not known yet', { session: key, error });
    }
  }

  async #house(key: string): Promise<void> {
    const { port, copies, seq } = this.#options;
    if (port.wants(key) && !copies.has(key)) copies.begin(key);
    await copies.durable(key, seq());
    await port.house(key, true);
  }
}
