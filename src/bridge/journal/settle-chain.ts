// At a start: does the end of the chain carry the seal of its key, and is it still the same key? Nothing that is found
// keeps the bridge from starting. It becomes a mark, which stays, and words for whoever starts it.
import type { DatabaseSync } from 'node:sqlite';
import { type ChainKey, sameSeal } from './chain-key.ts';
import { genesis } from './hash-chain.ts';
import type { HeadState } from './head-file.ts';
import type { Inspection } from './inspect.ts';
import { addMark, detailOf, keyInUse, lastMark, type Mark, type MarkDetail, readMarks } from './marks.ts';
import type { ChainEnd } from './sqlite-store.ts';

/**
 * Why the head file cannot have been written with `key`; undefined when it was, or when nothing can be told of it.
 * @param rows how many rows there are
 */
export function headForgery(
  head: HeadState,
  marks: readonly Mark[],
  key: ChainKey,
  rows: number,
): string | undefined {
  if (typeof head === 'string') return undefined;
  const { seq, link, sealed } = head;
  const keyed = marks.findLast((mark) => detailOf(mark)?.kind === 'keyed');
  if ((sealed?.marks ?? 0) < (keyed?.n ?? 0)) {
    // The start that brought the key died before it wrote its head: then no row and no mark came after.
    const died = keyed === marks.at(-1) && keyed?.seq === seq && rows === seq;
    return died ? undefined : 'the head file carries no seal of the key';
  }
  if (!sealed) return undefined;
  if (sealed.marks > marks.length) return 'a mark of the journal was taken out';
  const markSeal = marks[sealed.marks - 1]?.seal ?? genesis;
  const expected = key.head({ seq, link, marks: sealed.marks, markSeal });
  return sameSeal(sealed.seal, expected) ? undefined : 'the head file was not written with the key';
}

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
