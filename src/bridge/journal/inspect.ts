// Reads the whole journal once at start-up and says how much of it is what we wrote.
import type { DatabaseSync } from 'node:sqlite';
import { genesis, linkOf } from './hash-chain.ts';
import type { Head } from './head-file.ts';
import { JournalNewerError } from './journal-error.ts';
import { schemaVersion } from './migrations.ts';
import { sqliteTrouble } from './sqlite-error.ts';

export interface Inspection {
  /** Schema version, 0 for a database without one. */
  version: number;
  /** Rows 1…kept are intact. */
  kept: number;
  /** Link of the last intact row. */
  link: string;
  /** Rows that are known to have been there and are not among the kept ones. */
  lost: number | 'unknown';
  /** What is wrong, in words; undefined when nothing is. */
  damage?: string;
}

interface Prefix {
  kept: number;
  link: string;
  /** Link of the row that the head file names, when it was reached. */
  linkAtHead?: string;
  damage?: string;
}

/** Passes on what is a fault of the disk or another bridge's lock; only bad content counts as damage. */
function damageWords(error: unknown): string {
  if (sqliteTrouble(error) !== 'damaged') throw error;
  return error instanceof Error ? error.message : String(error);
}

function intactPrefix(db: DatabaseSync, headSeq: number): Prefix {
  const prefix: Prefix = { kept: 0, link: genesis };
  try {
    const rows = db.prepare('select seq, at, session, body, link from event order by seq');
    for (const { seq, at, session, body, link } of rows.iterate()) {
      const expected = prefix.kept + 1;
      const typed = typeof at === 'number' && typeof session === 'string' && typeof body === 'string';
      if (seq !== expected) return { ...prefix, damage: `row ${expected} is missing` };
      if (!typed || linkOf(prefix.link, { seq: expected, at, session, body }) !== link) {
        return { ...prefix, damage: `row ${expected} does not match its hash` };
      }
      prefix.kept = expected;
      prefix.link = link;
      if (expected === headSeq) prefix.linkAtHead = link;
    }
    return prefix;
  } catch (error) {
    return { ...prefix, damage: `row ${prefix.kept + 1} cannot be read: ${damageWords(error)}` };
  }
}

function headDamage(head: Head | 'absent' | 'damaged', prefix: Prefix): string | undefined {
  if (head === 'damaged') return 'the head file is damaged';
  if (head === 'absent') return prefix.kept > 0 ? 'the head file is missing' : undefined;
  if (head.seq > prefix.kept) return `row ${prefix.kept + 1} is missing`;
  if (head.seq > 0 && prefix.linkAtHead !== head.link)
    return `row ${head.seq} is not the one that was written`;
  return undefined;
}

/** The rows may be whole although the pages between them are not: the next write would make it worse. */
function structureDamage(db: DatabaseSync): string | undefined {
  try {
    const result = Object.values(db.prepare('pragma quick_check(1)').get() ?? {})[0];
    return result === 'ok' ? undefined : String(result);
  } catch (error) {
    return damageWords(error);
  }
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
function versionDamage(version: number, head: Head | 'absent' | 'damaged'): string | undefined {
  const written = typeof head === 'string' ? 1 : head.version;
  if (version >= written && version <= schemaVersion) return undefined;
  return `its format reads ${version} instead of ${written}`;
}

function lostRows(db: DatabaseSync, head: Head | 'absent' | 'damaged', kept: number): number | 'unknown' {
  const readable = readableRows(db);
  if (typeof head === 'string' && readable === undefined) return 'unknown';
  return Math.max(typeof head === 'string' ? 0 : head.seq, readable ?? 0, kept) - kept;
}

/**
 * `db` must have been opened with `writable_schema = on`, which lets SQLite read the front part of a file whose end
 * was cut off; it is off afterwards.
 * @throws JournalNewerError when a later release wrote it (both witnesses must not contradict that: one flipped byte
 * in the version must not look like an upgrade)
 */
export function inspect(db: DatabaseSync, file: string, head: Head | 'absent' | 'damaged'): Inspection {
  const version = readVersion(db);
  if (version > schemaVersion && (typeof head === 'string' || head.version === version)) {
    throw new JournalNewerError(file, version, schemaVersion);
  }
  const empty = version === 0 && db.prepare('select 1 from sqlite_master limit 1').get() === undefined;
  const prefix: Prefix = empty
    ? { kept: 0, link: genesis }
    : intactPrefix(db, typeof head === 'string' ? 0 : head.seq);
  db.exec('pragma writable_schema = off');
  const damage =
    prefix.damage ??
    (empty ? undefined : versionDamage(version, head)) ??
    headDamage(head, prefix) ??
    structureDamage(db);
  const { kept, link } = prefix;
  return { version, kept, link, damage, lost: damage ? lostRows(db, head, kept) : 0 };
}
