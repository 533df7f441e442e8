// One question to an index that is open.
import type { HitFilter, IndexReader } from '../index/index-reader.ts';
import type { Near } from '../vectors/vector-store.ts';
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
  /** Parts that mean something near, the nearest first; undefined where only words count. */
  near?: readonly Near[] | undefined;
}

/** @throws IndexDamage */
export function searchIndex(reader: IndexReader, question: Question, releases: Releases): Found {
  const { query, match, limit } = question;
  const hits = reader.hits(match, hitsFor(limit), question);
  const results = resultsOf(hits, stemsOf(query), limit);
  const withheld = results.flatMap(({ file, line, text }) => {
    const last = line + text.split('\n').length - 1;
    return reader
      .secrets(file, line, last)
      .map((secret) => ({ file, ...secret, release: releases.name({ file, line: secret.line }) }));
  });
  return { results, withheld };
}
