// Order matters: whatever dies in between, the next start finds either the damaged journal or the rebuilt one, and
// never opens the file that somebody else holds. Two traps: closing any descriptor of journal.db drops this process's
// locks on it (so it is linked, not copied), and a left-over -wal would be replayed into the new file.
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { eachPast, rememberPast } from '../chain/forget-rows.ts';
import { eachMark } from '../chain/marks.ts';
import { writeOrigin } from '../chain/origin.ts';
import type { JournalFiles } from '../store/journal-files.ts';
import { migrate, rowColumns } from '../store/migrations.ts';
import { fromArchive } from './from-archive.ts';
import type { Inspection } from './inspect.ts';

function freeName(base: string): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!existsSync(name)) return name;
  }
}

/** The same scan as the one that found them intact: a search by seq can end up in a page that is no longer one. */
function copyRows(from: DatabaseSync | undefined, to: DatabaseSync, { kept, origin }: Inspection): void {
  if (!from || kept === origin.seq) return;
  const read = from.prepare(`select ${rowColumns(from)} from event order by seq limit ?`);
  const insert = to.prepare(
    'insert into event (seq, at, session, body, link, seal) values (:seq, :at, :session, :body, :link, :seal)',
  );
  to.exec('begin');
  for (const row of read.iterate(kept - origin.seq)) insert.run(row);
  to.exec('commit');
}

/** Those that can be read: whether they are what was written is for `audit verify` to say. */
function copyMarks(from: DatabaseSync, to: DatabaseSync): void {
  const insert = to.prepare(
    'insert into mark (n, seq, at, detail, seal) values (:n, :seq, :at, :detail, :seal)',
  );
  try {
    for (const mark of eachMark(from)) insert.run({ ...mark });
  } catch {
    // They lay in the damaged part.
  }
}

/** What the archive is still to be cleaned of. */
function copyPast(from: DatabaseSync, to: DatabaseSync): void {
  try {
    for (const past of eachPast(from)) rememberPast(to, past);
  } catch {
    // It lay in the damaged part.
  }
}

/** An empty database. It stays locked, so that nobody opens it before the old one is gone. */
function create(path: string): DatabaseSync {
  // What SQLite finds beside a database, it takes for a part of it.
  for (const suffix of ['', '-wal', '-journal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  closeSync(openSync(path, 'wx', 0o600));
  const db = new DatabaseSync(path);
  db.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; pragma synchronous = full');
  migrate(db, 0, () => undefined);
  return db;
}

/** Puts the intact rows into `db`, or the archive's where those hold more. @returns what is in it then */
function fill(db: DatabaseSync, damaged: DatabaseSync | undefined, found: Inspection, archive: string) {
  damaged?.exec('pragma writable_schema = on');
  const restored = fromArchive(db, damaged, found, archive);
  if (!restored) {
    copyRows(damaged, db, found);
    if (found.origin.seq > 0) writeOrigin(db, found.origin);
  }
  const held = restored ?? found;
  if (damaged && held.kept > 0) copyMarks(damaged, db);
  if (damaged) copyPast(damaged, db);
  return held;
}

/** Brings what the log still holds into the main file, so that nothing depends on the log any more. */
function emptyLog(damaged: DatabaseSync | undefined): void {
  try {
    damaged?.exec('pragma wal_checkpoint(truncate)');
  } catch {
    // The log was copied; a damaged main file may refuse.
  }
}

function closeQuietly(db: DatabaseSync | undefined): void {
  try {
    db?.close();
  } catch {
    // It is damaged, and its content is elsewhere.
  }
}

/** Makes the names in `dir` survive a power cut. */
export function syncDir(dir: string): void {
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function keepAside(path: string, aside: string): void {
  if (!existsSync(path)) return;
  try {
    linkSync(path, aside);
  } catch {
    // No hard links here: the name is free for a moment.
    renameSync(path, aside);
  }
}

/**
 * Puts the damaged files aside as `*.corrupt-<stamp>` and leaves a journal of the intact rows in their place.
 * Closes `damaged`. The head file stays as it was, so that a start that dies before it could say what is lost is
 * followed by one that says it.
 * @returns the path of the damaged database, and what the new one holds
 */
export function rebuild(
  files: JournalFiles,
  damaged: DatabaseSync | undefined,
  found: Inspection,
  stamp: string,
): { aside: string; found: Inspection } {
  const aside = freeName(`${files.db}.corrupt-${stamp}`);
  if (existsSync(files.wal)) copyFileSync(files.wal, `${aside}-wal`);
  if (existsSync(files.head)) copyFileSync(files.head, `${aside}-head`);
  const fresh = `${files.db}.rebuild`;
  const built = create(fresh);
  const held = fill(built, damaged, found, files.archive);
  emptyLog(damaged);
  rmSync(files.wal, { force: true });
  keepAside(files.db, aside);
  renameSync(fresh, files.db);
  syncDir(files.dir);
  closeQuietly(damaged);
  built.close();
  return { aside, found: held };
}
