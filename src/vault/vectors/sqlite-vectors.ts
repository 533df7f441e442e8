// Vectors in a SQLite file. Its rows have a checksum each, as SQLite has none: a damaged one is found when it is read.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { inTransaction } from '../index/in-transaction.ts';
import { Matrix } from './matrix.ts';
import { product, quantised, scaleOf } from './quantise.ts';
import { candidates, ranked } from './ranked.ts';
import { bytesOf, rowSum } from './row-sum.ts';
import { type Nearest, OtherDimensions, StoreDamage, type VectorStore } from './vector-store.ts';

const tables = `CREATE TABLE IF NOT EXISTS vectors (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  -- One byte a number, and what they are multiplied by.
  bytes BLOB NOT NULL,
  scale REAL NOT NULL,
  -- 32-bit floats, little-endian.
  numbers BLOB NOT NULL,
  -- CRC-32 of all of them.
  sum INTEGER NOT NULL
) STRICT`;

export class SqliteVectors implements VectorStore {
  readonly #db: DatabaseSync;
  #held: { version: number; matrix: Matrix; damaged: number } | undefined;

  /** @param path made when nothing is there @throws StoreDamage */
  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: 10_000 });
    try {
      damageOr(() => this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${tables}`));
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  async known(): Promise<Set<string>> {
    return damageOr(() => {
      const rows = this.#db.prepare('SELECT hash, bytes, scale, numbers, sum FROM vectors').iterate();
      const known = new Set<string>();
      for (const row of rows) if (isWhole(row)) known.add(hexOf(row.hash));
      return known;
    });
  }

  async put(vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void> {
    const put = this.#db.prepare(
      'INSERT OR REPLACE INTO vectors (hash, bytes, scale, numbers, sum) VALUES (?, ?, ?, ?, ?)',
    );
    const [kept = vectors[0]?.vector.length ?? 0] = this.#dimensions();
    const other = vectors.find(({ vector }) => vector.length !== kept);
    if (other) throw new OtherDimensions(other.vector.length, kept);
    this.#transaction(() => {
      for (const { hash, vector } of vectors) {
        const key = Buffer.from(hash, 'hex');
        const bytes = new Uint8Array(quantised(vector).buffer);
        const numbers = bytesOf(vector);
        const scale = scaleOf(vector);
        put.run(key, bytes, scale, numbers, sumOf(key, bytes, scale, numbers));
      }
    });
  }

  async keep(hashes: ReadonlySet<string>): Promise<void> {
    const remove = this.#db.prepare('DELETE FROM vectors WHERE id = ?');
    this.#transaction(() => {
      const rows = this.#db.prepare('SELECT id, hash FROM vectors').all();
      for (const { id, hash } of rows) if (!hashes.has(hexOf(hash))) remove.run(Number(id));
    });
  }

  async nearest(query: Float32Array, limit: number): Promise<Nearest> {
    return damageOr(() => {
      const { matrix, damaged } = this.#matrix(query.length);
      if (damaged > 0) throw new StoreDamage(`${damaged} vectors are not what was kept`);
      // Prepared once: that takes longer than to read a row.
      const select = this.#db.prepare('SELECT hash, bytes, scale, numbers, sum FROM vectors WHERE hash = ?');
      const near = matrix
        .nearest(quantised(query), scaleOf(query), candidates(limit))
        .map(({ hash }) => ({ hash, score: product(query, numbersOf(select, hash, query.length)) }));
      return { near: ranked(near, limit), of: matrix.size };
    });
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
  }

  /** As the file is now. */
  #matrix(dimensions: number): { matrix: Matrix; damaged: number } {
    const version = Number(this.#db.prepare('PRAGMA data_version').get()?.data_version);
    if (this.#held?.version === version && this.#held.matrix.dimensions === dimensions) return this.#held;
    const matrix = new Matrix(dimensions);
    let damaged = 0;
    for (const row of this.#db.prepare('SELECT hash, bytes, scale, numbers, sum FROM vectors').iterate()) {
      const isSound = isWhole(row);
      if (isSound && row.bytes.length !== dimensions) throw new OtherDimensions(dimensions, row.bytes.length);
      if (isSound) matrix.set(hexOf(row.hash), new Int8Array(row.bytes), row.scale);
      else damaged += 1;
    }
    this.#held = { version, matrix, damaged };
    return this.#held;
  }

  /** Of what is kept; none while nothing is. */
  #dimensions(): number[] {
    const row = damageOr(() =>
      this.#db.prepare('SELECT hash, bytes, scale, numbers, sum FROM vectors LIMIT 1').get(),
    );
    return row && isWhole(row) ? [row.bytes.length] : [];
  }

  #transaction(work: () => void): void {
    this.#held = undefined;
    damageOr(() => inTransaction(this.#db, work));
  }
}

interface Whole {
  hash: Uint8Array;
  bytes: Uint8Array;
  numbers: Uint8Array;
  scale: number;
  sum: number;
}

const hexOf = (hash: unknown): string => Buffer.from(hash as Uint8Array).toString('hex');

const sumOf = (hash: Uint8Array, bytes: Uint8Array, scale: number, numbers: Uint8Array): number =>
  rowSum(hash, bytes, new Uint8Array(Float64Array.of(scale).buffer), numbers);

/** @throws StoreDamage */
function numbersOf(select: StatementSync, hash: string, dimensions: number): Float32Array {
  const row = select.get(Buffer.from(hash, 'hex'));
  if (!row || !isWhole(row) || row.numbers.length !== dimensions * Float32Array.BYTES_PER_ELEMENT)
    throw new StoreDamage('a vector is not what was kept');
  // Aligned: SQLite's buffer need not be.
  return new Float32Array(new Uint8Array(row.numbers).buffer);
}

function isWhole(row: Record<string, unknown>): row is Record<string, unknown> & Whole {
  const { hash, bytes, scale, numbers, sum } = row;
  if (!(hash instanceof Uint8Array && bytes instanceof Uint8Array && numbers instanceof Uint8Array))
    return false;
  return typeof scale === 'number' && sumOf(hash, bytes, scale, numbers) === sum;
}

/** What SQLite says of a damaged file is damage. */
function damageOr<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    if ([10, 11, 26].includes(code) || error instanceof RangeError)
      throw new StoreDamage('the file of vectors is damaged', { cause: error });
    throw error;
  }
}
