// All rows of a table once, each against its checksum: LanceDB has none, and gives what a damaged file holds.
import type { ArrowRows, LanceTable, Row } from './lance-engine.ts';
import { bytesOf, rowSum } from './row-sum.ts';

export interface Scan {
  /** Of the table. */
  version: number;
  /** Hashes of rows that are what was put. */
  whole: Set<string>;
  /** Rows that are not. */
  damaged: Pick<Row, 'hash' | 'sum'>[];
  /** Numbers of each vector, undefined when there is none. */
  dimensions: number | undefined;
}

export const columns = ['hash', 'vector', 'sum'];

export async function scan(table: LanceTable): Promise<Scan> {
  const result: Scan = {
    version: await table.version(),
    whole: new Set(),
    damaged: [],
    dimensions: undefined,
  };
  for await (const rows of table.query().select(columns))
    for (const row of rowsOf(rows)) {
      result.dimensions ??= row.vector.length;
      if (isWhole(row)) result.whole.add(row.hash);
      else result.damaged.push({ hash: row.hash, sum: row.sum });
    }
  return result;
}

/** Views of what the engine gave; what is missing is empty. */
export function* rowsOf(rows: ArrowRows): Generator<Row> {
  const [hashes, vectors, sums] = [rows.getChild('hash'), rows.getChild('vector'), rows.getChild('sum')];
  for (let at = 0; at < rows.numRows; at += 1) {
    const numbers = vectors?.get(at)?.toArray();
    const vector = numbers instanceof Float32Array ? numbers : new Float32Array();
    yield { hash: hashes?.get(at) ?? '', vector, sum: sums?.get(at) ?? 0 };
  }
}

export const isWhole = (row: Row): boolean => sumOf(row.hash, row.vector) === row.sum;

export const sumOf = (hash: string, vector: Float32Array): number =>
  rowSum(Buffer.from(hash), bytesOf(vector));
