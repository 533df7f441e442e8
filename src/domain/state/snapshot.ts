// A session's state as JSON and back, with nothing left out: what a compaction writes down in place of all rows that led
// to it. Texts are in blocks in the state, and strings here.
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { Answer } from './answer.ts';
import { kept } from './evolve-response.ts';
import { emptySession, owedReplies, type Session, type StoredResponse, unsettledAsks } from './session.ts';
import { Text } from './text.ts';
import { isSettled, type Turn } from './turn.ts';

/** With strings where texts are. */
type Packed<T> = T extends Text ? string : T extends object ? { [K in keyof T]: Packed<T[K]> } : T;

export type PackedTurn = Omit<Turn, 'answer'> & { answer: Packed<Answer> };
type PackedResponse = Omit<StoredResponse, 'said'> & { said?: Packed<StoredResponse['said']> };

type Restored = Extract<SessionEvent, { type: 'session.restored' }>;

/**
 * Form 1. A field that is new in {@link Session} needs a value where it is missing, which older releases did not write:
 * it is optional, or {@link emptySession} has one. Any other change is another form, with a version of its own.
 */
export type SessionState = Omit<Session, 'key' | 'turns' | 'responses'> & {
  turns: readonly PackedTurn[];
  responses: readonly PackedResponse[];
};

/** A later release wrote it: to go on without it would be to forget the conversation. */
export class SnapshotNewerError extends Error {
  constructor(key: string, version: unknown) {
    super(
      `the state of the session ${JSON.stringify(key)} has form ${JSON.stringify(version)}, this release knows form 1: a later release wrote it`,
    );
    this.name = 'SnapshotNewerError';
  }
}

/** Whether a compaction has to carry it over. Not if it was removed, and nothing of it goes on or is waited for. */
export function needsSnapshot(session: Session): boolean {
  const { removed, move, agent, calls, lease, turns } = session;
  if (!removed || move || agent.name !== 'stopped' || lease) return true;
  const waits = [...calls, ...unsettledAsks(session), ...owedReplies(session)];
  return waits.length > 0 || !turns.every(isSettled);
}

export function snapshotOf({ key: _, turns, responses, ...rest }: Session): SessionState {
  return {
    ...rest,
    turns: turns.map(packTurn),
    responses: responses.map(({ said, ...response }) => ({
      ...response,
      ...(said && { said: { ...said, text: String(said.text) } }),
    })),
  };
}

export function restoreSession(key: string, { turns: packed, responses, ...rest }: SessionState): Session {
  const turns = packed.map(unpackTurn);
  return {
    ...emptySession(key),
    ...rest,
    turns,
    responses: responses.map(({ said, ...response }) => {
      const turn = turns.find(({ id }) => id === response.turn);
      return { ...response, ...(said && { said: { ...said, text: kept(said.text, turn) } }) };
    }),
  };
}

export const restoredEvent = (session: Session): Restored => ({
  type: 'session.restored',
  version: 1,
  state: { ...snapshotOf(session) },
});

/** The questions alone: a start need not unpack all of it twice. */
export const asksIn = ({ state }: Restored): Session['asks'] => (state as unknown as SessionState).asks;

/** @throws SnapshotNewerError */
export function restoredSession(key: string, { version, state }: Restored): Session {
  if (version !== 1) throw new SnapshotNewerError(key, version);
  // The row was hashed when the journal was opened, so it is what this code wrote: no schema check.
  return restoreSession(key, state as unknown as SessionState);
}

export const packTurn = ({ answer, ...turn }: Turn): PackedTurn => ({
  ...turn,
  answer: {
    ...answer,
    text: String(answer.text),
    messages: answer.messages.map(({ held, ...message }) => ({
      ...message,
      held: held.map((run) => ({ ...run, text: String(run.text) })),
    })),
  },
});

export const unpackTurn = ({ answer, ...turn }: PackedTurn): Turn => ({
  ...turn,
  answer: {
    ...answer,
    text: Text.of(answer.text),
    messages: answer.messages.map(({ held, ...message }) => ({
      ...message,
      held: held.map((run) => ({ ...run, text: Text.of(run.text) })),
    })),
  },
});
