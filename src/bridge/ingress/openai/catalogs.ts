import { isDeepStrictEqual } from 'node:util';
import type { ToolSpec } from '../../../protocol/tool-spec.ts';

/** Lists that are remembered: a hub sends a few, with every request. */
const most = 8;

/** Equal lists of tools are one: each is some 40 kB, and every conversation and request of a hub has the same. */
export class Catalogs {
  /** Newest last. */
  #known: ToolSpec[][] = [];

  /**
   * @param before what is lent now
   * @returns a list that equals `tools`, the same as long as it is used; undefined where nothing has changed, as nearly
   * always, also behind a restart
   */
  change(before: readonly ToolSpec[] | undefined, tools: ToolSpec[]): ToolSpec[] | undefined {
    return isDeepStrictEqual(before, tools) ? undefined : this.#one(tools);
  }

  #one(tools: ToolSpec[]): ToolSpec[] {
    const known = this.#known.find((each) => isDeepStrictEqual(each, tools)) ?? tools;
    if (this.#known.at(-1) !== known)
      this.#known = [...this.#known.filter((each) => each !== known), known].slice(-most);
    return known;
  }
}
