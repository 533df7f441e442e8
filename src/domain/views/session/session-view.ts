// One session as its transcript needs it: the bridge's own fold, plus what the fold forgets and a reader wants to see.
import type { JournalRow } from '../../../protocol/events/events.ts';
import { evolve } from '../../state/evolve.ts';
import { emptySession, type Session } from '../../state/session.ts';
import { isSettled, type Turn } from '../../state/turn.ts';
import { atSnapshot } from './step-ends.ts';
import { type Step, stepsOf } from './steps.ts';

export interface SessionView {
  session: Session;
  /** Settled turns that the session no longer remembers, in the order in which it forgot them. */
  past: readonly Turn[];
  steps: readonly Step[];
  /** When turns settled, epoch ms. */
  ended: ReadonlyMap<string, number>;
}

/** Turns that are kept for reading back. */
const keptPast = 100;

export const viewOf = (session: Session): SessionView => ({
  session,
  past: [],
  steps: [],
  ended: new Map(),
});

/** What is known of a session, as far as its state of now agrees: what ended unseen meanwhile is not open any more. */
export const knownView = (view: SessionView, session: Session): SessionView => ({
  ...view,
  session,
  steps: atSnapshot(view.steps, session),
});

export const emptyView = (key: string): SessionView => viewOf(emptySession(key));

/** Every turn that can still be shown, oldest first. */
export const turnsOf = ({ past, session }: SessionView): readonly Turn[] =>
  // One that runs long is remembered when later ones are not any more.
  [...past, ...session.turns].sort((left, right) => left.acceptedAt - right.acceptedAt);

/** Folds one row of this session. */
export function viewRow(view: SessionView, { event, at }: JournalRow): SessionView {
  const session = evolve(view.session, event, at);
  // Another conversation: of the one that was removed nothing is shown.
  if (event.type === 'session.opened') return viewOf(session);
  const past = pastOf(view, session);
  const steps = stepsOf(view.steps, event, session, at);
  if (event.type !== 'turn.settled') return { session, past, steps, ended: view.ended };
  const known = new Set(turnsOf({ ...view, past, session }).map(({ id }) => id));
  const ended = new Map([...view.ended, [event.turn, at] as const].filter(([id]) => known.has(id)));
  return { session, past, steps, ended };
}

function pastOf({ past, session: before }: SessionView, session: Session): readonly Turn[] {
  if (before.turns === session.turns) return past;
  const kept = new Set(session.turns.map(({ id }) => id));
  const gone = before.turns.filter((turn) => isSettled(turn) && !kept.has(turn.id));
  return gone.length === 0 ? past : [...past, ...gone].slice(-keptPast);
}
