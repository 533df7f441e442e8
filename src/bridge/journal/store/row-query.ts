// Node makes a row an object five times as slowly as an array (measured on Node 24.21), and a start reads each row twice.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredRow, UnlinkedRow } from '../chain/hash-chain.ts';
import { rowColumns } from './migrations.ts';

type Columns = [seq: unknown, at: unknown, session: unknown, body: unknown, link?: unknown, seal?: unknown];

const toStored = ([seq, at, session, body, link, seal]: Columns): StoredRow => ({
  seq,
  at,
  session,
  body,
  link,
  seal,
});

/** The types were checked when the file was opened (see inspect.ts), and only we write to it since. */
const toUnlinked = ([seq, at, session, body]: Columns) => ({ seq, at, session, body }) as UnlinkedRow;

type Value = number | string;

/** Reads rows by a query for the columns of {@link rowColumns}, or the first four of them. */
export class RowQuery {
  readonly #statement: StatementSync;

  private constructor(statement: StatementSync) {
    statement.setReturnArrays(true);
    this.#statement = statement;
  }

  /** @param rest of the query, behind `from event` */
  static ofAll(db: DatabaseSync, rest: string): RowQuery {
    return new RowQuery(db.prepare(`select ${rowColumns(db)} from event ${rest}`));
  }

  /** Without links and seals. @param rest as of {@link ofAll} */
  static ofContents(db: DatabaseSync, rest: string): RowQuery {
    return new RowQuery(db.prepare(`select seq, at, session, body from event ${rest}`));
  }

  /** One after the other, as they lie on disk. */
  *stored(...values: Value[]): Generator<StoredRow> {
    for (const row of this.#statement.iterate(...values)) yield toStored(row as unknown as Columns);
  }

  contents(...values: Value[]): UnlinkedRow[] {
    return this.#statement.all(...values).map((row) => toUnlinked(row as unknown as Columns));
  }
}
