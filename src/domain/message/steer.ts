// Messages that come while Claude works on another one.
import { currentTurn, queuedTurns, type Session } from '../state/session.ts';
import type { Turn } from '../state/turn.ts';
import { bodyOf, labelled, lettered, writerOf } from './writer.ts';

type Message = Pick<Turn, 'ingress' | 'meta'>;

/** Who stopped a turn that had to make room. */
export const newerMessage = 'a newer message';

/**
 * Most that is handed into a running turn at once, UTF-16 code units. Above 10,000, with the words around it, Claude Code
 * keeps the text of a hook in a file and shows the beginning (measured on 2.1.329).
 */
export const longestJoin = 8_000;

/** Its length there: each line is quoted, and a tab becomes four blanks. */
function lengthIn(turn: Turn): number {
  const text = labelled(writerOf(turn), bodyOf(turn));
  return text.length + 2 * text.split(/[\n\r\u0085\u2028\u2029]/).length + 3 * (text.split('\t').length - 1);
}

const place = ['source_channel', 'source_account', 'source_chat', 'source_thread'] as const;

/**
 * The turn in flight if a message may be handed into it, or stop it: the answer goes to the chat that it was asked in. One
 * that Claude has not seen yet would be lost.
 */
export function reachable(session: Session, by: Message): Turn | undefined {
  const turn = currentTurn(session);
  if (!turn || turn.cancelledBy !== undefined || isUnseen(turn)) return undefined;
  return refusedWords(turn, by) === undefined ? turn : undefined;
}

const isUnseen = ({ phase }: Turn): boolean => phase.name === 'delivering' && !phase.handed;

/** What Claude is at instead, in words. */
function refusedWords(turn: Turn, by: Message): string | undefined {
  if (turn.adopted) return 'something that nobody in this chat asked for';
  if (turn.meta.unattended !== undefined) return `a ${turn.meta.unattended}`;
  const here = turn.ingress === by.ingress && place.every((name) => turn.meta[name] === by.meta[name]);
  return here ? undefined : 'a message of another chat';
}

/**
 * What the policy lets Claude do, and who may answer its questions, is decided for the writer of the turn: so nobody else's
 * words become part of it.
 */
const isOfOne = (into: Turn, turn: Turn): boolean =>
  refusedWords(into, turn) === undefined &&
  into.sender?.id === turn.sender?.id &&
  into.meta.unproven === turn.meta.unproven &&
  turn.meta.writers !== lettered.writers;

/** The messages that may be handed into the running turn now, oldest first. They never overtake one that waits. */
export function joinable(session: Session): { into: Turn; joins: Turn[] } | undefined {
  // What waits may be handed over by another machine.
  if (session.move) return undefined;
  const queued = queuedTurns(session);
  const [first] = queued;
  const into = first && reachable(session, first);
  if (into?.phase.name !== 'running') return undefined;
  const joins: Turn[] = [];
  let length = 0;
  for (const turn of queued) {
    length += lengthIn(turn);
    if (!turn.steer || length > longestJoin || !isOfOne(into, turn)) break;
    joins.push(turn);
  }
  return joins.length > 0 ? { into, joins } : undefined;
}

/** What the sender of a message that was not to wait is told where it has to; undefined where that is not known yet. */
export function waitWords(session: Session, waiting: Turn): string | undefined {
  const turn = currentTurn(session);
  if (!turn || waiting.phase.name !== 'queued') return undefined;
  const busy = refusedWords(turn, waiting);
  if (busy !== undefined) return `_(Claude is busy with ${busy}: your message waits for its end)_`;
  if (!waiting.steer && isUnseen(turn))
    return '_(Claude has not seen the message before this one yet: yours waits for the answer to that)_';
  if (waiting.steer && !isOfOne(turn, waiting))
    return '_(Claude works for somebody else here: your message waits for the end of that)_';
  return waiting.steer && lengthIn(waiting) > longestJoin
    ? '_(too long to be handed over while Claude is at work: your message waits for the end)_'
    : undefined;
}
