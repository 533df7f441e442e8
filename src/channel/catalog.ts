import type { Cancel, Clock } from '../base/time/clock.ts';
import type { Offer } from '../mcp/mcp-server.ts';
import { type ToolList, toToolList } from '../mcp/tools.ts';
import type { ToolSpec } from '../protocol/tool-spec.ts';

/** The tools of this session as the bridge told them last. */
export class Catalog implements Offer {
  readonly #clock: Clock;
  #list: ToolList = toToolList([]);
  #text = JSON.stringify([]);
  #revision = 0;
  #known = false;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rises when the content changes. */
  get revision(): number {
    return this.#revision;
  }

  get list(): ToolList {
    return this.#list;
  }

  /** @returns true when the tools are others than before. */
  set(entries: readonly ToolSpec[]): boolean {
    const text = JSON.stringify(entries);
    const changed = text !== this.#text;
    if (changed) {
      this.#text = text;
      this.#list = toToolList(entries);
      this.#revision += 1;
    }
    this.settle();
    return changed;
  }

  /** Nobody needs to wait any longer: the catalog is known, or will not come. */
  settle(): void {
    this.#known = true;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when the bridge has told its tools, after `ms` milliseconds at the latest. */
  async known(ms: number): Promise<void> {
    if (this.#known) return;
    await new Promise<void>((resolve) => {
      let cancel: Cancel = () => {};
      const wake = () => {
        cancel();
        this.#waiting.delete(wake);
        resolve();
      };
      cancel = this.#clock.after(ms, wake);
      this.#waiting.add(wake);
    });
  }

  /** The bridge's own name of a tool that Claude called. An unknown name is the bridge's to refuse. */
  originalName(name: string): string {
    return this.#list.originals.get(name) ?? name;
  }
}
