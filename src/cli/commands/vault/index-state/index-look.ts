// What lies in the state folder for a vault, compared with its notes. Nothing is changed.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stamp } from '../../../../vault/files/walk.ts';

export interface IndexLook {
  kind: 'open' | 'none' | 'unsealed' | 'damaged';
  /** What is damaged, else null. */
  damage: string | null;
  /** Notes that it does not hold as they are now; null where it cannot be asked. */
  behind: number | null;
  /** Bytes on the disk. */
  bytes: number;
  /** When something in it was changed last, ISO 8601; null when that is not known. */
  changed: string | null;
}

/**
 * Reads all of the index: one that is damaged is not taken for a good one.
 * @param dir of the index
 * @param notes of the vault; undefined where they cannot be read
 */
export async function lookAtIndex(
  dir: string,
  notes: ReadonlyMap<string, Stamp> | undefined,
): Promise<IndexLook> {
  const { Generations } = await import('../../../../vault/index/generations.ts');
  const { OpenIndex } = await import('../../../../vault/index/open-index.ts');
  const { IndexDamage } = await import('../../../../vault/index/index-damage.ts');
  const { differences } = await import('../../../../vault/indexing/differences.ts');
  const generations = new Generations(dir);
  const index = new OpenIndex(generations);
  const bytes = bytesIn(dir);
  try {
    const opened = index.get();
    if (opened.kind !== 'open')
      return { kind: opened.kind, damage: null, behind: null, bytes, changed: null };
    const { number, reader } = opened;
    const known = new Map([...reader.marks()].map(([path, mark]) => [path, { mark }]));
    const { changed, gone } = differences(known, notes ?? known);
    // An indexer may be at it.
    const mtime = statSync(generations.seal(number), { throwIfNoEntry: false })?.mtime;
    const behind = notes ? changed.length + gone.length : null;
    return { kind: 'open', damage: null, behind, bytes, changed: mtime?.toISOString() ?? null };
  } catch (error) {
    if (!(error instanceof IndexDamage)) throw error;
    return { kind: 'damaged', damage: error.message, behind: null, bytes, changed: null };
  } finally {
    index.close();
  }
}

/** An indexer may remove one meanwhile. */
const bytesIn = (dir: string): number =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
