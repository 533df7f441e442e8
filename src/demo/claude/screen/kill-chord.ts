import type { Key } from './keys.ts';

/** Ctrl+X Ctrl+K, and the same once more: a person stops all agents. Any other key begins it anew. */
export class KillChord {
  #pressed = 0;

  /** @returns true when this key completes it */
  press(key: Key): boolean {
    const name = key.kind === 'key' ? key.name : undefined;
    if (name === (this.#pressed % 2 === 0 ? 'ctrl-x' : 'ctrl-k')) this.#pressed += 1;
    else this.#pressed = name === 'ctrl-x' ? 1 : 0;
    if (this.#pressed < 4) return false;
    this.#pressed = 0;
    return true;
  }
}
