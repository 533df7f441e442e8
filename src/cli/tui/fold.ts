// News of the bridge → the next model.
import type { JournalRow } from '../../protocol/events.ts';
import type { BridgeNews } from './bridge-port.ts';
import { type Frame, keptFrames, type Model, withUi } from './model.ts';
import { foldBoard, isAnother } from './nodes/board.ts';
import { listed, sessionRows } from './rows.ts';
import { shownSessions } from './shown.ts';

export function fold(model: Model, news: BridgeNews): Model {
  const here = foldBoard(model.here, news);
  return chosen({ ...withStream(model, news), here, sessions: here.sessions });
}

/** A snapshot that goes on from where we are keeps what was scrolled back to. */
function withStream(model: Model, news: BridgeNews): Model {
  if (news.kind === 'rows') return withFrames(model, news.rows);
  if (news.kind !== 'snapshot' || !isAnother(model.here, news.snapshot)) return model;
  return { ...model, frames: [] };
}

/** A state that is restored is large, and nothing has happened. */
function withFrames(model: Model, rows: readonly JournalRow[]): Model {
  const fresh = rows
    .filter(({ seq, event }) => seq > model.here.read && event.type !== 'session.restored')
    .map((row, at): Frame => ({ ...row, n: model.came + at + 1 }));
  return {
    ...model,
    came: model.came + fresh.length,
    frames: [...model.frames, ...fresh].slice(-keptFrames),
  };
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
