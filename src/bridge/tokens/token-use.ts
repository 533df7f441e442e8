// `<state>/tokens.used.json`: in which hour each token was shown last. Apart from `tokens.json`, which a bridge never
// writes: it might bring a revoked token back.
import { join } from 'node:path';
import { readPrivate, writePrivate } from '../../base/files/private-file.ts';

const hourMs = 3_600_000;

export const tokenUsePath = (stateDir: string): string => join(stateDir, 'tokens.used.json');

/** Token → the beginning of that hour, epoch ms. What cannot be read is empty: it is a help for people, no more. */
export function readTokenUse(stateDir: string): Map<string, number> {
  try {
    const entries = Object.entries(JSON.parse(readPrivate(tokenUsePath(stateDir)) ?? '{}'));
    return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return new Map();
  }
}

export class TokenUse {
  readonly #stateDir: string;
  readonly #hours: Map<string, number>;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    this.#hours = readTokenUse(stateDir);
  }

  /** Keeps that a token was shown: one write for each token and hour. A full disk costs the note, not the request. */
  note(id: string, now: number): void {
    const hour = now - (now % hourMs);
    if (this.#hours.get(id) === hour) return;
    this.#hours.set(id, hour);
    try {
      writePrivate(tokenUsePath(this.#stateDir), `${JSON.stringify(Object.fromEntries(this.#hours))}\n`);
    } catch {
      // The next hour tries again.
    }
  }

  /** Drops those that are gone. */
  keepOnly(ids: readonly string[]): void {
    for (const id of this.#hours.keys()) if (!ids.includes(id)) this.#hours.delete(id);
  }
}
