import { bodyOf, writerOf } from '../../domain/message/writer.ts';
import type { Turn } from '../../domain/state/turn.ts';
import type { Prompt } from './ports.ts';

/** What Claude is given of a turn. */
export function promptOf(turn: Turn, attempt: number): Prompt {
  const { id, sender, meta } = turn;
  return {
    turn: id,
    text: bodyOf(turn),
    writer: writerOf(turn),
    meta,
    attempt,
    ...(sender?.id !== undefined && { userId: sender.id }),
  };
}
