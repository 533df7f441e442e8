import { isDeepStrictEqual } from 'node:util';
import type { ToolSpec } from '../../../protocol/tool-spec.ts';

/** Lists that are remembered: a hub sends a few, with every request. */
const most = 8;

/** Equal lists of tools are one: each is some 40 kB, and every conversation and request of a hub has the same. */
export class Catalogs {
  /** Newest last. */
  #known: ToolSpec[][] = [];

  /** @returns an equal list, the same as long as it is used */
  one(tools: ToolSpec[]): ToolSpec[] {
    const known = this.#known.find((each) => isDeepStrictEqual(each, tools)) ?? tools;
    if (this.#known.at(-1) !== known)
      this.#known = [...this.#known.filter((each) => each !== known), known].slice(-most);
    return known;
  }
}
