import { hashId } from '../../../base/digest.ts';
import { type Ask, openAsks } from '../../../domain/state/session.ts';
import { type SessionRow, sessionRow } from '../../../domain/views/session/session-row.ts';
import type { SessionView } from '../../../domain/views/session/session-view.ts';
import { sessionName } from '../../sessions/names.ts';
import type { Model } from './model.ts';

const nameless = { id: '', guessed: false, label: null };

/** What the session of this key is called. */
export function nameOf(model: Pick<Model, 'sessions'>, key: string): string {
  const view = model.sessions.get(key);
  return sessionName(view ? rowOf(view) : { ...nameless, key });
}

/** Views never change, so each is summed up once. */
const known = new WeakMap<SessionView, SessionRow>();

export function rowOf(view: SessionView): SessionRow {
  const found = known.get(view) ?? sessionRow(view.session, hashId(view.session.key, 12));
  known.set(view, found);
  return found;
}

export const listed = ({ sessions }: Pick<Model, 'sessions'>): SessionView[] =>
  [...sessions.values()].filter(({ session }) => !session.removed);

/** All of them, in no certain order. */
export const sessionRows = (model: Pick<Model, 'sessions'>): SessionRow[] => listed(model).map(rowOf);

export const chosenView = (model: Model): SessionView | undefined =>
  model.ui.session === undefined ? undefined : model.sessions.get(model.ui.session);

export interface WaitingAsk {
  ask: Ask;
  session: string;
}

/** Questions that wait for a human, the one that expires first on top. */
export const waitingAsks = (model: Pick<Model, 'sessions'>): WaitingAsk[] =>
  listed(model)
    .flatMap(({ session }) => openAsks(session).map((ask) => ({ ask, session: session.key })))
    .sort((a, b) => a.ask.expiresAt - b.ask.expiresAt || a.ask.code.localeCompare(b.ask.code));

/** Any question that is still remembered, also when it was answered meanwhile. */
export function findAsk(model: Model, code: string): WaitingAsk | undefined {
  for (const { session } of model.sessions.values()) {
    const ask = session.asks.find((each) => each.code === code);
    if (ask) return { ask, session: session.key };
  }
  return undefined;
}
