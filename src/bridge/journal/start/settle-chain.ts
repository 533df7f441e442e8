// At a start: does the end of the chain carry the seal of its key, and is it still the same key? Nothing that is found
// keeps the bridge from starting. It becomes a mark, which stays, and words for whoever starts it.
import type { DatabaseSync } from 'node:sqlite';
import type { ChainKey } from '../chain/chain-key.ts';
import type { HeadState } from '../chain/head-file.ts';
import { headForgery } from '../chain/head-forgery.ts';
import { addMark, keyInUse, lastMark, type Mark, type MarkDetail, readMarks } from '../chain/marks.ts';
import type { ChainEnd } from '../store/sqlite-store.ts';
import type { Inspection } from './inspect.ts';

function toMark(
  found: Inspection,
  marks: readonly Mark[],
  head: HeadState,
  key: ChainKey,
): MarkDetail | undefined {
  const before = keyInUse(marks);
  // Also when all marks are gone: a head that is sealed with the key says that there was one.
  const forgery = headForgery(head, marks, key, found.kept);
  if (before === undefined) {
    const known = typeof head !== 'string' && head.sealed && found.kept > 0;
    return { kind: 'keyed', key: key.id, ...(known && { before: 'unknown' }) };
  }
  if (before !== key.id && (forgery || typeof head === 'string'))
    return { kind: 'keyed', key: key.id, before };
  return forgery && !found.damage ? { kind: 'unsealed', why: forgery } : undefined;
}

interface Settling {
  db: DatabaseSync;
  found: Inspection;
  head: HeadState;
  key: ChainKey;
  /** Wall clock, epoch ms. */
  at: number;
  /** What the start had to mend. */
  repair: MarkDetail | undefined;
}

interface Settled {
  end: ChainEnd;
  /** What was found, in words; undefined when nothing was. */
  words?: string;
}

/** Runs in the transaction that also migrates. */
export function settleChain({ db, found, head, key, at, repair }: Settling): Settled {
  const marks = readMarks(db);
  const place = { seq: found.kept, link: found.link, at };
  const news = [toMark(found, marks, head, key), repair].filter((each) => each !== undefined);
  let mark = lastMark(marks);
  for (const detail of news) mark = addMark(db, key, mark, place, detail);
  const words = news.map((detail) => wordsOf(detail, found.kept)).find((each) => each !== undefined);
  const { kept: last, link, seal, origin } = found;
  return { end: { last, link, seal, mark, origin }, ...(words && { words }) };
}

function wordsOf(detail: MarkDetail, kept: number): string | undefined {
  if (detail.kind === 'unsealed') {
    return `${detail.why}: the journal may have been cut or rewritten while no bridge ran; \`synthesis audit verify\` says more`;
  }
  if (detail.kind !== 'keyed' || detail.before === undefined) return undefined;
  return `the key of the audit is another one than before: rows up to ${kept} can no longer be proven with it; if you did not change it, put the old key back`;
}
