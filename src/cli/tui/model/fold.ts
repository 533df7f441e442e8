// News of the bridges → the next model.
import type { JournalRow } from '../../../protocol/events/events.ts';
import type { BridgeNews, NodesNews } from '../bridge/bridge-port.ts';
import { type Board, foldBoard, isAnother, newBoard } from '../nodes/board.ts';
import { isUnderway, joined } from '../nodes/joined.ts';
import { shownSessions } from '../shown.ts';
import { type Frame, keptFrames, type Model, withUi } from './model.ts';
import { listed, sessionRows } from './rows.ts';

export function fold(model: Model, news: BridgeNews): Model {
  if (news.kind === 'nodes') return chosen(joined(withNodes(model, news)));
  const { here, nodes } = model;
  const board = news.node === undefined ? here : nodes?.others.get(news.node);
  // It is not one of the cluster any more.
  if (!board) return model;
  const name = news.node ?? nodes?.here;
  const next = withBoard(withStream(model, board, news, name), news.node, foldBoard(board, news));
  return chosen(joined(next));
}

function withNodes(model: Model, { here, others, cutOff }: NodesNews): Model {
  const known = others.map((node) => [node, model.nodes?.others.get(node) ?? newBoard] as const);
  return { ...model, nodes: { here, others: new Map(known), cutOff } };
}

function withBoard(model: Model, node: string | undefined, board: Board): Model {
  const { nodes } = model;
  if (node === undefined || !nodes) return { ...model, here: board };
  return { ...model, nodes: { ...nodes, others: new Map([...nodes.others, [node, board]]) } };
}

/** A snapshot that goes on from where we are keeps what was scrolled back to. */
function withStream(
  model: Model,
  board: Board,
  news: Exclude<BridgeNews, NodesNews>,
  node: string | undefined,
): Model {
  if (news.kind === 'rows') return withFrames(model, board, news.rows, node);
  if (news.kind !== 'snapshot' || !isAnother(board, news.snapshot)) return model;
  return { ...model, frames: model.frames.filter((frame) => frame.node !== node) };
}

/** A state that is restored is large, and nothing has happened. */
function withFrames(
  model: Model,
  board: Board,
  rows: readonly JournalRow[],
  node: string | undefined,
): Model {
  const fresh = rows
    .filter(({ seq, event }) => seq > board.read && event.type !== 'session.restored')
    .map((row, at): Frame => ({ ...row, n: model.came + at + 1, ...(node !== undefined && { node }) }));
  const old = fresh.filter(({ seq }) => seq <= board.seq);
  const before = old.length === 0 ? model.frames : between(model.frames, old);
  const frames = [...before, ...fresh.slice(old.length)];
  return { ...model, came: model.came + fresh.length, frames: frames.slice(-keptFrames) };
}

/** What was before stands where it happened, by the clocks of the machines. The order of each journal stays. */
function between(frames: readonly Frame[], old: readonly Frame[]): Frame[] {
  const all: Frame[] = [];
  let at = 0;
  for (const frame of frames) {
    for (let next = old[at]; next && next.at < frame.at; next = old[at]) {
      all.push(next);
      at += 1;
    }
    all.push(frame);
  }
  return [...all, ...old.slice(at)];
}

/** There is always a chosen session as long as there is one: the wanted one, or the first. */
function chosen(model: Model): Model {
  const rows = sessionRows(model);
  const { wanted, ui } = model;
  if (rows.some(({ key }) => key === wanted)) {
    const { wanted: _, ...rest } = model;
    return withUi(rest, { session: wanted });
  }
  if (rows.some(({ key }) => key === ui.session)) return model;
  // It does not vanish from under the cursor.
  if (ui.session !== undefined && isUnderway(model, ui.session)) return model;
  const first = shownSessions(model)[0] ?? listed(model)[0];
  return withUi(model, { session: first?.session.key, transcriptTop: undefined });
}
