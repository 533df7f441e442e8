// A session's state as JSON and back. Pieces of an answer that wait for an earlier one are a Map in the state.
import type { Answer } from '../answer.ts';
import type { Session, Turn } from '../session.ts';

type MessageProgress = Answer['messages'][number];
type HeldPieces = MessageProgress['held'] extends ReadonlyMap<infer K, infer V> ? [K, V][] : never;

export type PackedTurn = Omit<Turn, 'answer'> & {
  answer: { text: string; messages: (Omit<MessageProgress, 'held'> & { held: HeldPieces })[] };
};

/** A session without tool catalog, stored responses and errands: operators do not see them, and they may be large. */
export type PackedSession = Omit<Session, 'turns' | 'tools' | 'responses' | 'errands'> & {
  turns: PackedTurn[];
};

/** Every session that was not removed, as it is after row `seq` of the journal. */
export interface BoardSnapshot {
  seq: number;
  sessions: PackedSession[];
}

export function packSession({
  tools: _,
  responses: __,
  errands: ___,
  turns,
  ...rest
}: Session): PackedSession {
  return {
    ...rest,
    turns: turns.map(({ answer, ...turn }) => ({
      ...turn,
      answer: {
        text: answer.text,
        messages: answer.messages.map((message) => ({ ...message, held: [...message.held] })),
      },
    })),
  };
}

export function unpackSession({ turns, ...rest }: PackedSession): Session {
  return {
    ...rest,
    tools: [],
    responses: [],
    errands: [],
    turns: turns.map(({ answer, ...turn }) => ({
      ...turn,
      answer: {
        text: answer.text,
        messages: answer.messages.map((message) => ({ ...message, held: new Map(message.held) })),
      },
    })),
  };
}
