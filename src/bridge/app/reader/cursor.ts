// How far one reader is in a turn.

import { partEnd } from '../../../domain/state/text.ts';
import type { Turn } from '../../../domain/state/turn.ts';
import { longestText, type ReaderItem, type ReadOptions } from './reader-item.ts';

export interface Cursor {
  readonly start: number;
  offset: number;
  /** Nothing of this turn was handed out yet. */
  fresh: boolean;
}

export function startCursor(turn: Turn, { request, lost }: ReadOptions): Cursor {
  const before = turn.reads.find((read) => read.request === request);
  const start = before?.start ?? lost?.get(turn.id) ?? turn.handed;
  return { start, offset: start, fresh: true };
}

/** The next part of the answer, undefined for none; the cursor is behind it then. */
export function nextText(turn: Turn, cursor: Cursor): ReaderItem | undefined {
  const { text } = turn.answer;
  const { offset, fresh } = cursor;
  if (text.length <= offset) return undefined;
  const end = partEnd(text, offset, longestText);
  cursor.offset = end;
  cursor.fresh = false;
  return { kind: 'text', turn, text: text.slice(offset, end), end, first: fresh };
}
