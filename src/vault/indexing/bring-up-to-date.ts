// Makes an index say what is on the disk: in place, or anew beside the old one when that is damaged or of something
// else. Each batch is kept as soon as it is written, so whoever is killed goes on where it was.
import { rmSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type Stamp, walkNotes } from '../files/walk.ts';
import { Generations } from '../index/generations.ts';
import { IndexDamage } from '../index/index-damage.ts';
import { IndexWriter, type NoteRow } from '../index/index-writer.ts';
import { checkSeal, seal } from '../index/seal.ts';
import { differences } from './differences.ts';
import { type IndexOrder, type IndexResult, mostSkipped } from './order.ts';
import { readForIndex } from './read-for-index.ts';

/** Notes that one transaction takes: what a kill has done again. */
const batchNotes = 100;
/** Characters after which it ends earlier: they are in memory. */
const batchCharacters = 4 * 1024 * 1024;

interface Target {
  number: number;
  writer: IndexWriter;
  /** It is not the one that answers yet. */
  isNew: boolean;
  /** It was begun by somebody who was interrupted. */
  isResumed: boolean;
}

/**
 * Whoever calls it holds the lock of the index.
 *
 * @param progressed gets how many notes are in the index and how many there are, after each batch
 * @param isStopped asked after each batch; what was written stays
 * @throws VaultMissingError, or what the disk says
 */
export async function bringUpToDate(
  order: IndexOrder,
  progressed: (done: number, total: number) => void,
  isStopped: () => boolean,
): Promise<IndexResult> {
  const found = walkNotes(order.root, order);
  const generations = new Generations(order.dir);
  const target = chosen(generations, order);
  let isFinished = false;
  let isDamaged = false;
  try {
    const counts = await fill(target.writer, order, found.notes, progressed, isStopped);
    isFinished = !isStopped();
    if (target.isResumed && isFinished) target.writer.examine();
    return { built: target.isNew, ...counts, skipped: found.skipped.slice(0, mostSkipped) };
  } catch (error) {
    isDamaged = error instanceof IndexDamage;
    // What was made anew from nothing is not damaged by chance.
    if (!isDamaged || (target.isNew && !target.isResumed)) throw error;
  } finally {
    if (isDamaged) {
      target.writer.close();
      // One that was begun is of no use; the one that answers says itself what is wrong with it.
      if (target.isNew) generations.remove(target.number);
    } else rest(generations, target, isFinished);
  }
  return bringUpToDate({ ...order, rebuild: true }, progressed, isStopped);
}

function chosen(generations: Generations, { rebuild, root }: IndexOrder): Target {
  const current = whole(() => generations.current());
  if (current !== undefined && !rebuild) {
    const writer = whole(() => usable(generations, current, root));
    if (writer) return { number: current, writer, isNew: false, isResumed: false };
  }
  const newest = generations.newest();
  if (newest > (current ?? 0)) {
    const writer = whole(() => opened(generations.database(newest), root));
    if (writer) return { number: newest, writer, isNew: true, isResumed: true };
  }
  const number = newest + 1;
  return {
    number,
    writer: new IndexWriter(generations.database(number), root),
    isNew: true,
    isResumed: false,
  };
}

/** @returns undefined when it was made for something else */
function usable(generations: Generations, number: number, root: string): IndexWriter | undefined {
  const database = generations.database(number);
  // An empty one would be made here.
  if (!statSync(database, { throwIfNoEntry: false })?.size) return undefined;
  const isSealed = checkSeal(database, generations.seal(number));
  const writer = opened(database, root);
  try {
    if (!isSealed) writer?.examine();
    return writer;
  } catch (error) {
    writer?.close();
    throw error;
  }
}

function opened(database: string, root: string): IndexWriter | undefined {
  const writer = new IndexWriter(database, root);
  if (writer.isOf(root)) return writer;
  writer.close();
  return undefined;
}

/** Undefined in the place of damage. */
function whole<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
}

async function fill(
  writer: IndexWriter,
  { root }: IndexOrder,
  found: ReadonlyMap<string, Stamp>,
  progressed: (done: number, total: number) => void,
  isStopped: () => boolean,
): Promise<{ read: number; removed: number }> {
  const known = writer.notes();
  const { changed, gone } = differences(known, found);
  if (gone.length > 0)
    writer.commit(() => {
      for (const path of gone) writer.remove(path);
    });
  let batch = new Batch(writer);
  let done = found.size - changed.length;
  for (const path of changed) {
    const file = found.get(path) as Stamp;
    const before = known.get(path);
    const row = await readForIndex(root, path, file, before);
    if (row) batch.put(row);
    else if (before) batch.touch(before.id, file);
    done += 1;
    if (!batch.isFull) continue;
    batch.commit();
    batch = new Batch(writer);
    progressed(done, found.size);
    // News go out, and a word to stop comes in.
    await setImmediate();
    if (isStopped()) return { read: changed.length, removed: gone.length };
  }
  batch.commit();
  progressed(found.size, found.size);
  return { read: changed.length, removed: gone.length };
}

class Batch {
  readonly #writer: IndexWriter;
  readonly #rows: NoteRow[] = [];
  readonly #touched: [id: number, file: Stamp][] = [];
  #characters = 0;

  constructor(writer: IndexWriter) {
    this.#writer = writer;
  }

  get isFull(): boolean {
    const notes = this.#rows.length + this.#touched.length;
    return notes >= batchNotes || this.#characters >= batchCharacters;
  }

  put(row: NoteRow): void {
    this.#rows.push(row);
    for (const { text } of row.chunks) this.#characters += text.length;
  }

  touch(id: number, file: Stamp): void {
    this.#touched.push([id, file]);
  }

  commit(): void {
    if (this.#rows.length + this.#touched.length === 0) return;
    this.#writer.commit(() => {
      for (const row of this.#rows) this.#writer.put(row);
      for (const [id, { mark, mtimeMs }] of this.#touched) this.#writer.touch(id, mark, mtimeMs);
    });
  }
}

/** Closes it so that the file is at rest and its seal fits; a new one that is whole answers from now on. */
function rest(generations: Generations, { number, writer, isNew }: Target, isFinished: boolean): void {
  const database = generations.database(number);
  const hasNews = (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasNews) rmSync(generations.seal(number), { force: true });
  if (hasNews) writer.settle();
  writer.close();
  const isWhole = isFinished || !isNew;
  if (isWhole && (hasNews || isNew)) seal(database, generations.seal(number));
  if (isNew && isFinished) {
    generations.choose(number);
    generations.keep(number);
  }
}
