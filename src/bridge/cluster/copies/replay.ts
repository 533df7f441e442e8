/**
 * All is written anew after so many characters, or entries, at least: more when all of it is more, so that this is a part of
 * the cost that does not grow.
 */
const leastCharacters = 256 * 1024;
const leastEntries = 200;
const charactersPerEntry = 4096;

/** How much whoever takes a conversation over has to read behind its state. */
export class Replay {
  #entries = 0;
  #characters = 0;
  #all = 0;

  /** All was written, in so many characters. */
  begin(all: number): void {
    this.#entries = 0;
    this.#characters = 0;
    this.#all = all;
  }

  /** @returns whether it is so much by now that all is written anew */
  add(characters: number): boolean {
    this.#entries += 1;
    this.#characters += characters;
    return (
      this.#characters > Math.max(leastCharacters, 4 * this.#all) ||
      this.#entries > Math.max(leastEntries, this.#all / charactersPerEntry)
    );
  }
}
