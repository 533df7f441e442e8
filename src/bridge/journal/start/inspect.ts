// Reads the whole journal once at start-up and says how much of it is what we wrote.
import type { DatabaseSync } from 'node:sqlite';
import type { StoredRow } from '../chain/hash-chain.ts';
import type { HeadState } from '../chain/head-file.ts';
import { readMarks } from '../chain/marks.ts';
import { noOrigin, type Origin, readOrigin } from '../chain/origin.ts';
import { JournalNewerError } from '../journal-error.ts';
import { schemaVersion } from '../store/migrations.ts';
import { RowQuery } from '../store/row-query.ts';
import { sqliteTrouble } from '../store/sqlite-error.ts';
import { type ChainedText, type Place, takeRow, takeText, textPages } from './chained-texts.ts';

export interface Inspection {
  /** Schema version, 0 for a database without one. */
  version: number;
  /** What comes before the live rows. */
  origin: Origin;
  /** Rows up to this one are intact, as far as they are not in the archive. */
  kept: number;
  /** Link of the last intact row. */
  link: string;
  /** Seal of the last intact row that carries one; `genesis` for none. */
  seal: string;
  /** Rows that are known to have been there and are not among the kept ones. */
  lost: number | 'unknown';
  /** What is wrong, in words; undefined when nothing is. */
  damage?: string;
}

interface Prefix extends Place {
  /** Link of the row that the head file names, when it was reached. */
  linkAtHead?: string;
  damage?: string;
}

/** Passes on what is a fault of the disk or another bridge's lock; only bad content counts as damage. */
function damageWords(error: unknown): string {
  if (sqliteTrouble(error) !== 'damaged') throw error;
  return error instanceof Error ? error.message : String(error);
}

const prefixOf = ({ seq, link, seal }: Origin): Prefix => ({ kept: seq, link, seal });

/** Walks over rows, page by page; where one does not fit `take` says why. */
function intactPrefix<Row>(
  pages: () => Iterable<readonly Row[]>,
  take: (place: Place, row: Row) => string | undefined,
  origin: Origin,
  headSeq: number,
): Prefix {
  const prefix = prefixOf(origin);
  // Whoever was killed right behind the swap has not told the head of it.
  if (prefix.kept === headSeq) prefix.linkAtHead = prefix.link;
  try {
    for (const page of pages()) {
      for (const stored of page) {
        const damage = take(prefix, stored);
        if (damage !== undefined) return { ...prefix, damage };
        if (prefix.kept === headSeq) prefix.linkAtHead = prefix.link;
      }
    }
    return prefix;
  } catch (error) {
    return { ...prefix, damage: `row ${prefix.kept + 1} cannot be read: ${damageWords(error)}` };
  }
}

function headDamage(head: HeadState, prefix: Prefix, origin: Origin): string | undefined {
  if (head === 'damaged') return 'the head file is damaged';
  if (head === 'absent') return prefix.kept > 0 ? 'the head file is missing' : undefined;
  if (head.seq > prefix.kept) return `row ${prefix.kept + 1} is missing`;
  // Not synced, so a power cut may have taken it back to a row that is in the archive since.
  if (head.seq > 0 && head.seq >= origin.seq && prefix.linkAtHead !== head.link)
    return `row ${head.seq} is not the one that was written`;
  return undefined;
}

/** The rows may be whole although the pages between them are not: the next write would make it worse. */
function structureDamage(db: DatabaseSync): string | undefined {
  try {
    const result = Object.values(db.prepare('pragma quick_check(1)').get() ?? {})[0];
    if (result !== 'ok') return String(result);
    readMarks(db);
    return undefined;
  } catch (error) {
    return damageWords(error);
  }
}

function* scan(db: DatabaseSync): Generator<[StoredRow]> {
  for (const row of RowQuery.ofAll(db, 'order by seq').stored()) yield [row];
}

function readableRows(db: DatabaseSync): number | undefined {
  try {
    return Number(db.prepare('select count(*) as n from event').get()?.n);
  } catch (error) {
    damageWords(error);
    return undefined;
  }
}

function readVersion(db: DatabaseSync): number {
  return Number(db.prepare('pragma user_version').get()?.user_version);
}

/** A head that is behind is a migration that was killed before it wrote its head; one that is ahead is a flipped byte. */
function versionDamage(version: number, head: HeadState): string | undefined {
  const written = typeof head === 'string' ? 1 : head.version;
  if (version >= written && version <= schemaVersion) return undefined;
  return `its format reads ${version} instead of ${written}`;
}

function lostRows(db: DatabaseSync, head: HeadState, { kept, origin }: Pick<Inspection, 'kept' | 'origin'>) {
  const readable = readableRows(db);
  if (typeof head === 'string' && readable === undefined) return 'unknown';
  const last = Math.max(typeof head === 'string' ? 0 : head.seq, origin.seq + (readable ?? 0), kept);
  return last - kept;
}

/** The origin, and what is wrong with it. */
function originOf(db: DatabaseSync): { origin: Origin; damage?: string } {
  try {
    const origin = readOrigin(db);
    return typeof origin === 'string' ? { origin: noOrigin, damage: origin } : { origin };
  } catch (error) {
    return { origin: noOrigin, damage: damageWords(error) };
  }
}

/**
 * `db` must have been opened with `writable_schema = on`, which lets SQLite read the front part of a file whose end
 * was cut off; it is off afterwards.
 * @throws JournalNewerError when a later release wrote it (both witnesses must not contradict that: one flipped byte
 * in the version must not look like an upgrade)
 */
export function inspect(db: DatabaseSync, file: string, head: HeadState): Inspection {
  const version = readVersion(db);
  if (version > schemaVersion && (typeof head === 'string' || head.version === version)) {
    throw new JournalNewerError(file, version, schemaVersion);
  }
  const empty = version === 0 && db.prepare('select 1 from sqlite_master limit 1').get() === undefined;
  const { origin, damage: unknown } = originOf(db);
  const headSeq = typeof head === 'string' ? 0 : head.seq;
  const isReadable = !empty && !unknown;
  const look = (walk: () => Prefix) => {
    const prefix = isReadable ? walk() : prefixOf(origin);
    db.exec('pragma writable_schema = off');
    const damage =
      unknown ??
      prefix.damage ??
      (empty ? undefined : versionDamage(version, head)) ??
      headDamage(head, prefix, origin) ??
      structureDamage(db);
    return { prefix, damage };
  };
  const texts = () => textPages(db, origin.seq);
  const takeNext = (place: Place, row: ChainedText) => takeText(db, place, row);
  let { prefix, damage } = look(() => intactPrefix(texts, takeNext, origin, headSeq));
  if (damage && isReadable) {
    // A search by seq can end up in a page that is no longer one: a scan may find more.
    db.exec('pragma writable_schema = on');
    ({ prefix, damage } = look(() => intactPrefix(() => scan(db), takeRow, origin, headSeq)));
  }
  const { kept, link, seal } = prefix;
  const lost = damage ? lostRows(db, head, { kept, origin }) : 0;
  return { version, origin, kept, link, seal, damage, lost };
}
