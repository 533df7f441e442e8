// A session's state as JSON and back. The text of an answer is in blocks in the state.
import type { Answer } from '../answer.ts';
import type { Session, Turn } from '../session.ts';
import { Text } from '../text.ts';

/** With strings where texts are. */
type Packed<T> = T extends Text ? string : T extends object ? { [K in keyof T]: Packed<T[K]> } : T;

export type PackedTurn = Omit<Turn, 'answer'> & { answer: Packed<Answer> };

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
        text: String(answer.text),
        messages: answer.messages.map(({ held, ...message }) => ({
          ...message,
          held: held.map((run) => ({ ...run, text: String(run.text) })),
        })),
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
        text: Text.of(answer.text),
        messages: answer.messages.map(({ held, ...message }) => ({
          ...message,
          held: held.map((run) => ({ ...run, text: Text.of(run.text) })),
        })),
      },
    })),
  };
}
