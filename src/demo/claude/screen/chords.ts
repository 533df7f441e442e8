import type { Key, KeyName } from './keys.ts';

/** `kill`: a person stops all agents. */
export type Chorded = Key | 'kill' | undefined;

/** What Ctrl+X begins. Another key behind it is swallowed, in a dialog too (measured on 2.1.332). */
const second: Partial<Record<KeyName, KeyName>> = {
  'ctrl-s': 'ctrl-x ctrl-s',
  enter: 'ctrl-x enter',
  'ctrl-k': 'ctrl-x ctrl-k',
};

/** Makes one key of the two of a chord. Ctrl+X Ctrl+K, and the same once more, stops all agents. */
export class Chords {
  #begun = false;
  #kills = 0;

  /** @returns what the keys so far mean; undefined while a chord has only begun, and for one that there is none of */
  press(key: Key): Chorded {
    const name = key.kind === 'key' ? key.name : undefined;
    if (!this.#begun) {
      this.#begun = name === 'ctrl-x';
      if (this.#begun) return undefined;
      this.#kills = 0;
      return key;
    }
    this.#begun = false;
    const whole = name && second[name];
    this.#kills = whole === 'ctrl-x ctrl-k' ? this.#kills + 1 : 0;
    if (this.#kills === 2) {
      this.#kills = 0;
      return 'kill';
    }
    return whole === undefined || whole === 'ctrl-x ctrl-k' ? undefined : { kind: 'key', name: whole };
  }
}
