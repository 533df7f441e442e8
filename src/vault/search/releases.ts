// Names for lines that were withheld, each good for one release. In memory: a restart makes all of them void.
import { newToken } from '../../base/ids.ts';

export interface Place {
  /** Inside of the vault, with `/`. */
  file: string;
  /** 1-based. */
  line: number;
}

/** The one that was named longest ago is forgotten first. */
const mostNames = 1_000;

export class Releases {
  readonly #places = new Map<string, Place>();

  /** A new name for the place. */
  name(place: Place): string {
    const id = newToken().slice(0, 16);
    this.#places.set(id, place);
    const oldest = this.#places.keys().next();
    if (this.#places.size > mostNames && !oldest.done) this.#places.delete(oldest.value);
    return id;
  }

  /** @returns undefined when it was taken before, or never named */
  take(id: string): Place | undefined {
    const place = this.#places.get(id);
    this.#places.delete(id);
    return place;
  }
}
