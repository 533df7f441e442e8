// `<state>/operator-proof.json`: which code counted last, and how many wrong ones came since. Apart from the journal, so
// that a code counts once and guessing takes as long whether a bridge runs, was started anew, or none is there.
import { join } from 'node:path';
import { z } from 'zod';
import { readPrivate, syncFolder, writePrivate } from '../../base/files/private-file.ts';

const ProofRecord = z.object({
  /** Which app's key it is about. */
  of: z.string(),
  /** Step of the last code that counted. */
  step: z.number().int(),
  /** Wrong codes in a row. */
  wrong: z.number().int().nonnegative(),
  /** Until when no code is looked at, epoch ms. */
  until: z.number(),
});
export type ProofRecord = z.infer<typeof ProofRecord>;

/** Wrong codes in a row before the next one has to wait. */
const maxWrong = 5;
const firstWaitMs = 30_000;
/** At this rate a guess succeeds in some ten years. */
const maxWaitMs = 15 * 60_000;

/** Returns how long the next code has to wait after so many wrong ones in a row, ms. */
export const waitAfter = (wrong: number): number =>
  wrong < maxWrong ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(wrong - maxWrong, 20));

export const freshRecord = (of: string): ProofRecord => ({ of, step: 0, wrong: 0, until: 0 });

export class ProofFile {
  readonly #dir: string;
  readonly #path: string;

  constructor(stateDir: string) {
    this.#dir = stateDir;
    this.#path = join(stateDir, 'operator-proof.json');
  }

  /** Returns what is known of the codes of this key. A file that cannot be read is none. @throws UnsafePathError */
  load(of: string): ProofRecord {
    const text = readPrivate(this.#path);
    const parsed = ProofRecord.safeParse(text === undefined ? undefined : jsonOf(text));
    return parsed.success && parsed.data.of === of ? parsed.data : freshRecord(of);
  }

  /** On disk when this returns: a code that was taken must never be taken again. */
  save(record: ProofRecord): void {
    writePrivate(this.#path, `${JSON.stringify(record)}\n`, { sync: true });
    syncFolder(this.#dir);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
