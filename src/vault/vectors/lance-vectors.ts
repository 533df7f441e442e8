// Vectors in a table of LanceDB, for those who have it installed. Every search looks at every vector.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LanceConnection, type LanceTable, loadEngine, schemaOf } from './lance-engine.ts';
import { isConflict, lanceError } from './lance-error.ts';
import { columns, isWhole, rowsOf, type Scan, scan, sumOf } from './lance-scan.ts';
import { LanceTidier } from './lance-tidier.ts';
import { product } from './quantise.ts';
import { candidates, ranked } from './ranked.ts';
import { type Near, type Nearest, OtherDimensions, StoreDamage, type VectorStore } from './vector-store.ts';

const tableName = 'vectors';
/** Hashes that one order to delete names. */
const deletedAtOnce = 500;
/** What describes files; the engine would take up to a gigabyte. */
const cacheBytes = 32n * 1024n * 1024n;
/** How often a change is tried against those of others, besides the engine's own tries. */
const changeTries = 5;

export class LanceVectors implements VectorStore {
  readonly #db: LanceConnection;
  /** Of the table. */
  readonly #folder: string;
  readonly #schema: (dimensions: number) => object;
  readonly #tidier: LanceTidier;
  #opened: LanceTable | undefined;
  #scan: Scan | undefined;

  private constructor(db: LanceConnection, dir: string, schema: (dimensions: number) => object) {
    this.#db = db;
    this.#folder = join(dir, `${tableName}.lance`);
    this.#schema = schema;
    this.#tidier = new LanceTidier(this.#folder);
  }

  /**
   * @param library folder whose `node_modules` has LanceDB and Apache Arrow
   * @param dir made when nothing is there
   * @throws what Node says when the library cannot be loaded
   */
  static async open(library: string, dir: string): Promise<LanceVectors> {
    const { lance, arrow } = loadEngine(library);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const session = new lance.Session(0n, cacheBytes);
    // Each look is at the newest version, also of what other processes put.
    const db = await lance.connect(dir, { readConsistencyInterval: 0, session });
    return new LanceVectors(db, dir, schemaOf(arrow));
  }

  async known(): Promise<Set<string>> {
    return new Set((await this.#read(nothing, (table) => this.#scanAnew(table))).whole);
  }

  async put(vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void> {
    const [first] = vectors;
    if (!first) return;
    const each = new Map(vectors.map(({ hash, vector }) => [hash, vector]));
    const kept = (await this.#read(undefined, dimensionsOf)) ?? first.vector.length;
    const other = vectors.find(({ vector }) => vector.length !== kept);
    if (other) throw new OtherDimensions(other.vector.length, kept);
    const rows = Array.from(each, ([hash, vector]) => ({ hash, vector, sum: sumOf(hash, vector) }));
    await this.#change(async () => {
      const table = (await this.#table()) ?? (await this.#create(first.vector.length));
      await table.mergeInsert('hash').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
    });
  }

  async keep(hashes: ReadonlySet<string>): Promise<void> {
    const { whole, damaged } = await this.#read(nothing, (table) => this.#scanAnew(table));
    const others = [...whole].filter((hash) => !hashes.has(hash)).map(named);
    const predicates = [
      ...others,
      ...damaged.map(({ hash, sum }) => (isHex(hash) ? named(hash) : `sum = ${sum}`)),
    ];
    for (let at = 0; at < predicates.length; at += deletedAtOnce)
      await this.#change(async () => {
        await (await this.#table())?.delete(predicates.slice(at, at + deletedAtOnce).join(' OR '));
      });
    if (this.#opened) await this.#tidier.look(this.#opened);
  }

  async nearest(query: Float32Array, limit: number): Promise<Nearest> {
    return this.#read({ near: [], of: 0 }, async (table) => {
      const { whole, damaged, dimensions } = await this.#scanned(table);
      if (damaged.length > 0) throw new StoreDamage(`${damaged.length} vectors are not what was kept`);
      if (whole.size === 0) return { near: [], of: 0 };
      if (dimensions !== undefined && dimensions !== query.length)
        throw new OtherDimensions(query.length, dimensions);
      return { near: ranked(await searched(table, query, limit), limit), of: whole.size };
    });
  }

  async close(): Promise<void> {
    this.#opened?.close();
    this.#opened = undefined;
    this.#db.close();
  }

  /** Of the table as it is now; not anew when that was looked at. */
  async #scanned(table: LanceTable): Promise<Scan> {
    const version = await table.version();
    return this.#scan?.version === version ? this.#scan : this.#scanAnew(table);
  }

  async #scanAnew(table: LanceTable): Promise<Scan> {
    this.#scan = undefined;
    this.#scan = await scan(table);
    return this.#scan;
  }

  /** @param empty what is read when there is no table */
  async #read<T>(empty: T, work: (table: LanceTable) => Promise<T>): Promise<T> {
    try {
      return await this.#once(empty, work);
    } catch (error) {
      if (error instanceof StoreDamage || error instanceof OtherDimensions) throw error;
    }
    // Another process may have taken away the version that was read: its files are gone, and a newer one is there.
    this.#forget();
    try {
      return await this.#once(empty, work);
    } catch (error) {
      throw lanceError(error);
    }
  }

  async #once<T>(empty: T, work: (table: LanceTable) => Promise<T>): Promise<T> {
    const table = await this.#table();
    return table ? work(table) : empty;
  }

  async #change(work: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await work();
        break;
      } catch (error) {
        this.#forget();
        if (!isConflict(error) || tries === changeTries) throw lanceError(error);
      }
    }
    if (this.#opened) await this.#tidier.changed(this.#opened);
  }

  #forget(): void {
    this.#opened?.close();
    this.#opened = undefined;
    this.#scan = undefined;
  }

  /** Undefined when there is none yet. */
  async #table(): Promise<LanceTable | undefined> {
    if (this.#opened) return this.#opened;
    if (!this.#hasData()) return undefined;
    this.#opened = await this.#db.openTable(tableName);
    return this.#opened;
  }

  /** A table that another process is making has none. */
  #hasData(): boolean {
    try {
      return readdirSync(join(this.#folder, 'data')).length > 0;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    }
  }

  async #create(dimensions: number): Promise<LanceTable> {
    this.#opened = await this.#db.createEmptyTable(tableName, this.#schema(dimensions), { existOk: true });
    return this.#opened;
  }
}

/** What is seen of a table that is not there. */
const nothing: Scan = { version: 0, whole: new Set(), damaged: [], dimensions: undefined };

const isHex = (hash: string): boolean => /^[0-9a-f]+$/.test(hash);

const named = (hash: string): string => `hash = '${hash}'`;

/** Of the vectors that are there; undefined when there are none. */
async function dimensionsOf(table: LanceTable): Promise<number | undefined> {
  for await (const rows of table.query().select(columns).limit(1))
    for (const { vector } of rowsOf(rows)) return vector.length;
  return undefined;
}

/** Checked again: the files may have changed since they were looked at. */
async function searched(table: LanceTable, query: Float32Array, limit: number): Promise<Near[]> {
  const search = table.vectorSearch(query).distanceType('dot').bypassVectorIndex();
  const near: Near[] = [];
  for await (const rows of search.select([...columns, '_distance']).limit(candidates(limit)))
    for (const row of rowsOf(rows)) {
      if (!isWhole(row)) throw new StoreDamage('a vector is not what was kept');
      near.push({ hash: row.hash, score: product(query, row.vector) });
    }
  return near;
}
