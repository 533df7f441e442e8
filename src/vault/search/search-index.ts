// One question to an index that is open.
import type { Hit, HitFilter, IndexReader } from '../index/index-reader.ts';
import type { Near } from '../vectors/vector-store.ts';
import { fused } from './fuse.ts';
import { type RankedNote, rankedNotes } from './rank-notes.ts';
import type { Releases } from './releases.ts';
import { hitsFor, resultsOf, type SearchResult } from './search-data.ts';
import { stemsOf } from './stems.ts';

/** A line of a result that holds a secret; the text has a mark in its place. */
export interface Withheld {
  file: string;
  line: number;
  /** `GitHub token` */
  kind: string;
  /** What it is released by, once. */
  release: string;
}

export interface Found {
  results: SearchResult[];
  withheld: Withheld[];
}

export interface Question extends HitFilter {
  query: string;
  /** In the language of FTS5. */
  match: string;
  limit: number;
  /** What is near by its meaning; without it words alone decide. */
  near?: readonly Near[] | undefined;
}

/** @throws IndexDamage */
export function searchIndex(reader: IndexReader, question: Question, releases: Releases): Found {
  const { query, limit } = question;
  const results = resultsOf(notesFor(reader, question), stemsOf(query), limit);
  const withheld = results.flatMap(({ file, line, text }) => {
    const last = line + text.split('\n').length - 1;
    return reader
      .secrets(file, line, last)
      .map((secret) => ({ file, ...secret, release: releases.name({ file, line: secret.line }) }));
  });
  return { results, withheld };
}

/** The best first. */
function notesFor(reader: IndexReader, question: Question): RankedNote[] {
  const { match, limit, near = [] } = question;
  const words = rankedNotes(reader.hits(match, hitsFor(limit), question));
  const parts = nearParts(reader, near, question);
  // Without a second order the scores of the first say more than its places.
  return parts.length === 0 ? words : fused(words, rankedNotes(parts));
}

/** With their scores, the nearest first. A meaning of which there is no part any more has none. */
function nearParts(reader: IndexReader, near: readonly Near[], filter: HitFilter): Hit[] {
  if (near.length === 0) return [];
  const scores = new Map(near.map(({ hash, score }) => [hash, score]));
  return reader
    .partsOf([...scores.keys()], filter)
    .map(({ meaning, ...hit }) => ({ ...hit, score: scores.get(meaning) ?? 0 }))
    .toSorted((a, b) => b.score - a.score || before(a, b));
}

/** The same text stands in several notes: their order is always the same. */
const before = (a: Hit, b: Hit): number => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1);
