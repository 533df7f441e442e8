// Reads an index, beside whoever writes it.
import { DatabaseSync } from 'node:sqlite';
import { chunkHash, meaningText } from './chunk-hash.ts';
import { IndexDamage, reading } from './index-damage.ts';

export interface Hit {
  /** Inside of the vault, with `/`. */
  file: string;
  /** 1-based, of the first line of `text`. */
  line: number;
  title: string;
  heading: string;
  text: string;
  /** The higher the better; only to be compared with those of the same answer. */
  score: number;
}

export interface HitFilter {
  /** Inside of the vault, with `/`, without one at the end; '' for all. */
  folder: string;
  /** Without #; '' for all. Those below it count: `work` finds `work/plans`. */
  tag: string;
}

export interface IndexFacts {
  notes: number;
  chunks: number;
  /** Different texts among the chunks: what there are vectors of. */
  meanings: number;
  secrets: number;
  /** When the note that was changed last was changed, milliseconds since 1970; null without one. */
  modified: number | null;
}

/** How much a word counts in the names of the note, in the headings above, and in the text, which holds them, too. */
const weights = '4.0, 1.0, 1.0';

/** Notes below the folder ?2, with the tag ?3 or one below it. */
const filterOf = `AND (?2 = '' OR substr(notes.path, 1, length(?2) + 1) = ?2 || '/')
  AND (?3 = '' OR EXISTS (SELECT 1 FROM json_each(notes.tags)
    WHERE lower(value) = lower(?3) OR lower(substr(value, 1, length(?3) + 1)) = lower(?3) || '/'))`;

/** Of SQLite's page cache, KiB. */
const cacheKiB = 16_384;

export class IndexReader {
  readonly #db: DatabaseSync;
  #facts: { version: number; facts: IndexFacts } | undefined;

  /** @throws IndexDamage, or what SQLite says when it cannot be opened */
  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    reading(() => this.#db.exec(`PRAGMA cache_size = -${cacheKiB}`));
  }

  /** What was known of the file of each note when it was read, by path. @throws IndexDamage */
  marks(): Map<string, string> {
    return reading(() => {
      const rows = this.#db.prepare('SELECT path, mark FROM notes').iterate();
      return new Map([...rows].map(({ path, mark }) => [String(path), String(mark)]));
    });
  }

  /**
   * The chunks that fit best, the best first.
   *
   * @param match in the language of FTS5
   * @param limit at most so many
   * @throws IndexDamage also when a row is not what was written
   */
  hits(match: string, limit: number, { folder, tag }: HitFilter): Hit[] {
    const isFiltered = folder !== '' || tag !== '';
    const filter = isFiltered
      ? `AND words.rowid IN (SELECT chunks.id FROM chunks JOIN notes ON notes.id = chunks.note WHERE TRUE ${filterOf})`
      : "AND ?2 = '' AND ?3 = ''";
    const found = `SELECT rowid AS id, bm25(words, ${weights}) AS rank FROM words
      WHERE words MATCH ?1 ${filter} ORDER BY rank LIMIT ?4`;
    const rows = reading(() =>
      this.#db
        .prepare(
          `SELECT path, title, line, heading, text, chunks.hash AS hash, found.id AS id, rank
           FROM (${found}) AS found LEFT JOIN chunks ON chunks.id = found.id
           LEFT JOIN notes ON notes.id = chunks.note ORDER BY rank, found.id`,
        )
        .all(match, folder, tag, limit),
    );
    return rows.map((row) => hitOf(row));
  }

  /**
   * The parts that have one of these meanings, in no order; without a score.
   *
   * @param meanings hex
   * @throws IndexDamage
   */
  partsOf(meanings: readonly string[], { folder, tag }: HitFilter): (Hit & { meaning: string })[] {
    const rows = reading(() =>
      this.#db
        .prepare(
          // json_each has a column path as well.
          `SELECT notes.path AS path, title, line, heading, text, chunks.hash AS hash, 0 AS rank, hex(meaning) AS meaning
           FROM json_each(?1) AS wanted JOIN chunks ON chunks.meaning = unhex(wanted.value)
           JOIN notes ON notes.id = chunks.note WHERE TRUE ${filterOf}`,
        )
        .all(JSON.stringify(meanings), folder, tag),
    );
    return rows.map((row) => ({ ...hitOf(row), meaning: String(row.meaning).toLowerCase() }));
  }

  /** Of all parts, hex, each once. @throws IndexDamage */
  meanings(): string[] {
    return reading(() => {
      const rows = this.#db.prepare('SELECT DISTINCT meaning FROM chunks').iterate();
      return [...rows].map(({ meaning }) => Buffer.from(meaning as Uint8Array).toString('hex'));
    });
  }

  /** What a model is given of a part; undefined when it is gone. @param meaning hex @throws IndexDamage */
  meaningText(meaning: string): string | undefined {
    const row = reading(() =>
      this.#db
        .prepare('SELECT heading, text FROM chunks WHERE meaning = ? LIMIT 1')
        .get(Buffer.from(meaning, 'hex')),
    );
    return row && meaningText(String(row.heading), String(row.text));
  }

  /** Which lines of the note from `first` to `last` hold a secret that was left out. @throws IndexDamage */
  secrets(file: string, first: number, last: number): { line: number; kind: string }[] {
    const rows = reading(() =>
      this.#db
        .prepare(
          `SELECT line, kind FROM secrets WHERE note = (SELECT id FROM notes WHERE path = ?)
           AND line BETWEEN ? AND ? ORDER BY line`,
        )
        .all(file, first, last),
    );
    return rows.map(({ line, kind }) => ({ line: Number(line), kind: String(kind) }));
  }

  /** Notes that could not be read, and why, at most so many. @throws IndexDamage */
  problems(most: number): { path: string; words: string }[] {
    const rows = reading(() =>
      this.#db
        .prepare('SELECT path, problem FROM notes WHERE problem IS NOT NULL ORDER BY path LIMIT ?')
        .all(most),
    );
    return rows.map(({ path, problem }) => ({ path: String(path), words: String(problem) }));
  }

  /** @throws IndexDamage */
  facts(): IndexFacts {
    return reading(() => {
      const version = Number(this.#db.prepare('PRAGMA data_version').get()?.data_version);
      if (this.#facts?.version === version) return this.#facts.facts;
      const row = this.#db
        .prepare(
          `SELECT (SELECT count(*) FROM notes) AS notes, (SELECT count(*) FROM chunks) AS chunks,
           (SELECT count(DISTINCT meaning) FROM chunks) AS meanings,
           (SELECT count(*) FROM secrets) AS secrets, (SELECT max(modified) FROM notes) AS modified`,
        )
        .get();
      const modified = row?.modified ?? null;
      const facts = {
        notes: Number(row?.notes),
        chunks: Number(row?.chunks),
        meanings: Number(row?.meanings),
        secrets: Number(row?.secrets),
        modified: modified === null ? null : Number(modified),
      };
      this.#facts = { version, facts };
      return facts;
    });
  }

  /** Idempotent. */
  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}

function hitOf(row: Record<string, unknown>): Hit {
  const { path, title, line, heading, text, hash, rank } = row;
  const isWhole =
    typeof path === 'string' &&
    typeof title === 'string' &&
    typeof line === 'number' &&
    typeof heading === 'string' &&
    typeof text === 'string' &&
    hash instanceof Uint8Array;
  if (!isWhole || Buffer.compare(hash, chunkHash(path, line, heading, text)) !== 0)
    throw new IndexDamage('a part of a note is not what was written');
  return { file: path, line, title, heading, text, score: -Number(rank) };
}
