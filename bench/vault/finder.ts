// What finds notes: the vault, and what it is compared with.
import type { CorpusNote } from './corpus.ts';

export interface Finder extends AsyncDisposable {
  /** What it took to make its index, CPU milliseconds; of vectors, the time that went by. */
  readonly indexMs: number;
  /** Of its index: on disk, or as JSON where it lives in memory. */
  readonly bytes: number;
  /** Files that fit, the best first. A file may be there more than once. */
  find(question: string): Promise<string[]>;
  /** What somebody who asks for 8 results is handed, bytes. */
  answerBytes(question: string): Promise<number>;
}

export interface FinderOptions {
  /** Of the notes, absolute. */
  folder: string;
  notes: readonly CorpusNote[];
  /** Empty, for its index. */
  dir: string;
  env: Record<string, string>;
}

/** How each of them is started, by its name. */
export type Finders = Readonly<Record<string, (options: FinderOptions) => Promise<Finder>>>;

/** Results that the vault's limit allows, and of the others as many notes. */
export const mostFound = 20;

export const usualResults = 8;

/** Of what an agent would be sent. */
export const bytesOf = (answer: unknown): number => Buffer.byteLength(JSON.stringify(answer));
