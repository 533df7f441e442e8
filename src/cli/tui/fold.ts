// News of the bridge → the next model. The same fold as the bridge's own: `evolve`, through the session's view.

import { panicAfter } from '../../domain/views/panic-words.ts';
import {
  emptyView,
  knownView,
  type SessionView,
  turnsOf,
  viewOf,
  viewRow,
} from '../../domain/views/session-view.ts';
import type { BoardSnapshot } from '../../domain/views/snapshot.ts';
import { unpackSession } from '../../domain/views/snapshot.ts';
import type { JournalRow } from '../../protocol/events.ts';
import { house } from '../../protocol/house.ts';
import type { BridgeNews } from './bridge-port.ts';
import { keptFrames, type Model, withUi } from './model.ts';
import { listed, sessionRows } from './rows.ts';
import { shownSessions } from './shown.ts';

export function fold(model: Model, news: BridgeNews): Model {
  switch (news.kind) {
    case 'link':
      return { ...model, link: news.link };
    case 'status':
      return { ...model, status: news.status, panic: news.status.panic ?? null };
    case 'snapshot':
      return chosen(withSnapshot(model, news.snapshot));
    case 'rows':
      return chosen(withRows(model, news.rows));
    default:
      return news satisfies never;
  }
}

/** A snapshot that goes on from where we are keeps what was scrolled back to. */
function withSnapshot(model: Model, { seq, sessions }: BoardSnapshot): Model {
  const views = sessions.map((packed): [string, SessionView] => {
    const session = unpackSession(packed);
    const known = model.sessions.get(session.key);
    return [session.key, known ? knownView(known, session) : viewOf(session)];
  });
  const again = seq < model.seq;
  return {
    ...model,
    seq,
    known: true,
    sessions: new Map(views),
    history: new Map(),
    frames: again ? [] : model.frames,
  };
}

function withRows(model: Model, rows: readonly JournalRow[]): Model {
  const known = rows.filter(({ seq }) => seq <= model.seq);
  const fresh = rows.filter(({ seq }) => seq > model.seq);
  const remembered = known.length === 0 ? model : withHistory(model, known);
  const sessions = new Map(remembered.sessions);
  let { panic } = remembered;
  for (const row of fresh) {
    panic = panicAfter(panic, row.event);
    if (row.session === house) continue;
    sessions.set(row.session, viewRow(sessions.get(row.session) ?? emptyView(row.session), row));
  }
  const seq = fresh.at(-1)?.seq ?? model.seq;
  return { ...remembered, panic, seq, sessions, frames: addFrames(model.frames, rows) };
}

/**
 * Rows before the snapshot: their state is known, but not what Claude did in the middle of its answers. Turns that begin
 * in them are folded on the side, to learn that.
 */
function withHistory(model: Model, rows: readonly JournalRow[]): Model {
  const history = new Map(model.history);
  const sessions = new Map(model.sessions);
  for (const row of rows) {
    // What is restored began before these rows.
    if (row.session === house || row.event.type === 'session.restored') continue;
    history.set(row.session, viewRow(history.get(row.session) ?? emptyView(row.session), row));
  }
  for (const key of new Set(rows.map(({ session }) => session))) {
    const [view, before] = [sessions.get(key), history.get(key)];
    if (!view || !before) continue;
    const whole = new Set(turnsOf(before).map(({ id }) => id));
    const steps = before.steps.filter(({ turn }) => turn !== undefined && whole.has(turn));
    sessions.set(key, knownView({ ...view, steps }, view.session));
  }
  return { ...model, history, sessions };
}

/** A state that is restored is large, and nothing has happened. */
function addFrames(frames: readonly JournalRow[], rows: readonly JournalRow[]): readonly JournalRow[] {
  const last = frames.at(-1)?.seq ?? 0;
  const fresh = rows.filter(({ seq, event }) => seq > last && event.type !== 'session.restored');
  return [...frames, ...fresh].slice(-keptFrames);
}

/** There is always a chosen session as long as there is one: the wanted one, or the first. */
function chosen(model: Model): Model {
  const rows = sessionRows(model);
  const { wanted, ui } = model;
  const fits = rows.find(({ key, id }) => key === wanted || id === wanted);
  const found =
    fits ?? rows.find(({ key, id }) => wanted && (key.startsWith(wanted) || id.startsWith(wanted)));
  if (found) {
    const { wanted: _, ...rest } = model;
    return withUi(rest, { session: found.key });
  }
  if (rows.some(({ key }) => key === ui.session)) return model;
  const first = shownSessions(model)[0] ?? listed(model)[0];
  return withUi(model, { session: first?.session.key, transcriptTop: undefined });
}
