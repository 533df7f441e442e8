// What operators get of the sessions: their state as JSON and back, without what no screen shows.
import { emptySession, type Session } from '../state/session.ts';
import { type PackedTurn, packTurn, unpackTurn } from '../state/snapshot.ts';

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
    turns: turns.map(packTurn),
  };
}

export function unpackSession({ turns, ...rest }: PackedSession): Session {
  // A bridge of an older release tells less.
  return { ...emptySession(rest.key), ...rest, turns: turns.map(unpackTurn) };
}
