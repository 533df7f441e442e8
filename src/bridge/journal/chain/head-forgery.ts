import { type ChainKey, sameSeal } from './chain-key.ts';
import { genesis } from './hash-chain.ts';
import type { HeadState } from './head-file.ts';
import { detailOf, type Mark } from './marks.ts';

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
