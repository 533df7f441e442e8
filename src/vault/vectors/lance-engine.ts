// What is used of LanceDB and of Apache Arrow. They are no dependencies of ours (see extras/extra.ts), so neither are
// their types.
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface LanceConnection {
  openTable(name: string): Promise<LanceTable>;
  createEmptyTable(name: string, schema: object, options: { existOk: boolean }): Promise<LanceTable>;
  close(): void;
}

export interface LanceTable {
  /** Counts up with each change. */
  version(): Promise<number>;
  stats(): Promise<{ numRows: number; totalBytes: number; fragmentStats: { numFragments: number } }>;
  query(): LanceQuery;
  vectorSearch(query: Float32Array): LanceQuery;
  mergeInsert(on: string): LanceMerge;
  delete(predicate: string): Promise<unknown>;
  optimize(options: { cleanupOlderThan: Date }): Promise<unknown>;
  close(): void;
}

interface LanceQuery extends AsyncIterable<ArrowRows> {
  select(columns: readonly string[]): LanceQuery;
  distanceType(type: 'dot'): LanceQuery;
  bypassVectorIndex(): LanceQuery;
  limit(limit: number): LanceQuery;
}

interface LanceMerge {
  whenMatchedUpdateAll(): LanceMerge;
  whenNotMatchedInsertAll(): LanceMerge;
  execute(rows: readonly Row[]): Promise<unknown>;
}

/** Some rows, column by column. */
export interface ArrowRows {
  numRows: number;
  getChild(name: 'hash'): ArrowColumn<string> | null;
  getChild(name: 'sum'): ArrowColumn<number> | null;
  getChild(name: 'vector'): ArrowColumn<{ toArray(): unknown }> | null;
}

interface ArrowColumn<T> {
  get(row: number): T | null;
}

export interface Row {
  /** Hex. */
  hash: string;
  vector: Float32Array;
  /** See row-sum.ts. */
  sum: number;
}

interface Lance {
  connect(
    folder: string,
    options: { readConsistencyInterval: number; session?: object },
  ): Promise<LanceConnection>;
  /** The most that is kept of indexes and of what describes files, bytes. */
  Session: new (
    indexes: bigint,
    metadata: bigint,
  ) => object;
}

/** Classes of Apache Arrow: types of columns. */
interface Arrow {
  Schema: new (fields: readonly object[]) => object;
  Field: new (name: string, type: object, isNullable: boolean) => object;
  Utf8: new () => object;
  Uint32: new () => object;
  Float32: new () => object;
  FixedSizeList: new (size: number, field: object) => object;
}

export interface LanceEngine {
  lance: Lance;
  arrow: Arrow;
}

/**
 * From the folder whose `node_modules` has both, and by a name that no bundler follows.
 *
 * @throws what Node says when they are not there, or cannot be loaded on this machine
 */
export function loadEngine(library: string): LanceEngine {
  const load = createRequire(join(library, 'package.json'));
  return { lance: load('@lancedb/lancedb') as Lance, arrow: load('apache-arrow') as Arrow };
}

/** Columns of `Row`. */
export function schemaOf({ Schema, Field, Utf8, Uint32, Float32, FixedSizeList }: LanceEngine['arrow']) {
  return (dimensions: number): object =>
    new Schema([
      new Field('hash', new Utf8(), false),
      new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), false),
      new Field('sum', new Uint32(), false),
    ]);
}
