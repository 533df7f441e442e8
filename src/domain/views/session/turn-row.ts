import type { OriginKind } from '../../../protocol/events/events.ts';
import { isForwarded } from '../../message/quote.ts';
import type { Session } from '../../state/session.ts';
import { holdOf, type Turn } from '../../state/turn.ts';

/** One message and its answer, for the transcript that operators see. */
export interface TurnRow {
  id: string;
  ingress: string;
  /** Typed in Claude's own terminal, or begun by Claude itself. */
  adopted: boolean;
  /** What made Claude begin it by itself; its `ingress` and `sender` are those it speaks for. */
  origin: OriginKind | null;
  text: string;
  sender: string | null;
  /** The text is somebody else's, whom `sender` passes on. */
  forwarded: boolean;
  accepted_at: string;
  phase: 'queued' | 'delivering' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired';
  /** Why it ended without an answer, or why it waits although nothing is before it: a failure code. */
  code: string | null;
  /** What Claude has written so far. */
  answer: string;
}

export function turnRows(session: Session): TurnRow[] {
  return session.turns.map(turnRow);
}

function turnRow(turn: Turn): TurnRow {
  const { phase } = turn;
  return {
    id: turn.id,
    ingress: turn.ingress,
    adopted: turn.adopted,
    origin: turn.origin ?? null,
    text: turn.text,
    sender: turn.sender?.name ?? turn.sender?.id ?? null,
    forwarded: isForwarded(turn.quotes),
    accepted_at: new Date(turn.acceptedAt).toISOString(),
    phase: phase.name === 'settled' ? phase.outcome : phase.name === 'joining' ? 'delivering' : phase.name,
    code: (phase.name === 'settled' ? phase.code : holdOf(turn)?.code) ?? null,
    answer: String(turn.answer.text),
  };
}
