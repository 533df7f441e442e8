// The conversations of all machines of a cluster as one list: each once, as it is where it lives.
import type { SessionView } from '../../../domain/views/session/session-view.ts';
import type { Model } from '../model/model.ts';
import type { Board } from './board.ts';

interface Place {
  node: string;
  board: Board;
  view: SessionView;
}

const noHomes: ReadonlyMap<string, string> = new Map();

/** A conversation that went to another machine is known on both: rows of its old home change nothing any more. */
export function joined(model: Model): Model {
  const { here, nodes } = model;
  if (!nodes) return { ...model, sessions: here.sessions, homes: noHomes };
  const places = new Map<string, Place[]>();
  for (const [node, board] of [[nodes.here, here] as const, ...nodes.others])
    for (const [key, view] of board.sessions) {
      const known = places.get(key);
      if (known) known.push({ node, board, view });
      else places.set(key, [{ node, board, view }]);
    }
  const sessions = new Map<string, SessionView>();
  const homes = new Map<string, string>();
  for (const [key, each] of places) {
    const { view, node } = livesIn(each, model.homes.get(key));
    sessions.set(key, view);
    homes.set(key, node);
  }
  return { ...model, sessions, homes };
}

/** What speaks for a place, the weightiest first. @param shown where it lived before, as far as that was known */
const reasons: readonly ((place: Place, shown: string | undefined) => boolean)[] = [
  ({ view }) => !view.session.removed,
  // It goes away, or it is not known whether it is still there.
  ({ view }) => !view.session.move,
  // Who is away may not know that another one goes on with it.
  ({ board }) => board.link.name !== 'lost',
  ({ node }, shown) => node === shown,
];

function livesIn(places: readonly Place[], shown: string | undefined): Place {
  const weigh = (place: Place) =>
    reasons.reduce((sum, reason, at) => sum + (reason(place, shown) ? 2 ** -at : 0), 0);
  return places.reduce((found, each) => (weigh(each) > weigh(found) ? each : found));
}

/** Whether it has left one machine for another, and is not there yet. */
export const isUnderway = ({ nodes, sessions }: Model, key: string): boolean => {
  const session = nodes && sessions.get(key)?.session;
  return session?.removed === true && !session.forget;
};
