// What is known of one bridge, and the news of it → the next of that. The same fold as the bridge's own: `evolve`, through
// the session's view.
import type { BridgeStatus, PanicView } from '../../../domain/views/control.ts';
import {
  emptyView,
  knownView,
  type SessionView,
  turnsOf,
  viewOf,
  viewRow,
} from '../../../domain/views/session/session-view.ts';
import type { BoardSnapshot } from '../../../domain/views/snapshot.ts';
import { unpackSession } from '../../../domain/views/snapshot.ts';
import { panicAfter } from '../../../domain/views/words/panic-words.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import { house } from '../../../protocol/events/house.ts';
import type { Link, OneBridgeNews } from '../bridge/bridge-port.ts';

export interface Board {
  link: Link;
  status?: BridgeStatus;
  /** Set while everything is stopped. */
  panic: PanicView | null;
  /** Seq of the last row that was folded. */
  seq: number;
  /** Seq of the last row that came, which may be history. */
  read: number;
  sessions: ReadonlyMap<string, SessionView>;
  /** False until the bridge said once what sessions there are. */
  known: boolean;
  /** What was learned from rows before the snapshot. */
  history: ReadonlyMap<string, SessionView>;
}

export const newBoard: Board = {
  link: { name: 'connecting' },
  panic: null,
  seq: 0,
  read: 0,
  sessions: new Map(),
  known: false,
  history: new Map(),
};

export function foldBoard(board: Board, news: OneBridgeNews): Board {
  switch (news.kind) {
    case 'link':
      return { ...board, link: news.link };
    case 'status':
      return { ...board, status: news.status, panic: news.status.panic ?? null };
    case 'snapshot':
      return withSnapshot(board, news.snapshot);
    case 'rows':
      return withRows(board, news.rows);
    default:
      return news satisfies never;
  }
}

/** Whether it is of another journal than before. */
export const isAnother = (board: Board, { seq }: BoardSnapshot): boolean => seq < board.seq;

function withSnapshot(board: Board, snapshot: BoardSnapshot): Board {
  const views = snapshot.sessions.map((packed): [string, SessionView] => {
    const session = unpackSession(packed);
    const known = board.sessions.get(session.key);
    return [session.key, known ? knownView(known, session) : viewOf(session)];
  });
  return {
    ...board,
    seq: snapshot.seq,
    read: isAnother(board, snapshot) ? 0 : board.read,
    known: true,
    sessions: new Map(views),
    history: new Map(),
  };
}

function withRows(board: Board, rows: readonly JournalRow[]): Board {
  const known = rows.filter(({ seq }) => seq <= board.seq);
  const fresh = rows.filter(({ seq }) => seq > board.seq);
  const remembered = known.length === 0 ? board : withHistory(board, known);
  const sessions = new Map(remembered.sessions);
  let { panic } = remembered;
  for (const row of fresh) {
    panic = panicAfter(panic, row.event);
    if (row.session === house) continue;
    sessions.set(row.session, viewRow(sessions.get(row.session) ?? emptyView(row.session), row));
  }
  const seq = fresh.at(-1)?.seq ?? board.seq;
  return { ...remembered, panic, seq, read: Math.max(board.read, rows.at(-1)?.seq ?? 0), sessions };
}

/**
 * Rows before the snapshot: their state is known, but not what Claude did in the middle of its answers. Turns that begin
 * in them are folded on the side, to learn that.
 */
function withHistory(board: Board, rows: readonly JournalRow[]): Board {
  const history = new Map(board.history);
  const sessions = new Map(board.sessions);
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
  return { ...board, history, sessions };
}
