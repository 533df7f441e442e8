// What is asked of the machines of a cluster, where there is one.
import { safeLine } from '../../output/safe.ts';
import type { Call } from '../model/effect.ts';
import type { Model } from '../model/model.ts';
import { findAsk } from '../model/rows.ts';
import type { Board } from './board.ts';

/** The bridge here and those of other machines, by their names; alone it has none. */
export const boards = ({ here, nodes }: Model): readonly (readonly [node: string, board: Board])[] => [
  [nodes?.here ?? '', here],
  ...(nodes?.others ?? []),
];

/** A name that is longer is cut there. */
const mostCells = 10;

/** For the name of each machine; 0 without a cluster. */
export const nodeCells = (model: Model): number =>
  model.nodes ? Math.min(mostCells, Math.max(...boards(model).map(([node]) => node.length))) : 0;

/** Whether another machine, on which a session lives, cannot be reached. */
export function isAway({ nodes, homes }: Model, session: string): boolean {
  const board = nodes?.others.get(homes.get(session) ?? '');
  return board?.link.name === 'lost';
}

/** Behind the name of a session, in a cluster. */
export function onNode({ homes }: Pick<Model, 'homes'>, session: string): string {
  const node = homes.get(session);
  return node === undefined ? '' : `  on ${safeLine(node)}`;
}

/** Whose bridge is to do it: the one where the session or the question lives; undefined where that is not told. */
export function nodeOfCall(model: Model, { params }: Call): string | undefined {
  const session =
    'code' in params
      ? findAsk(model, params.code)?.session
      : 'session' in params
        ? params.session
        : undefined;
  return session === undefined ? undefined : model.homes.get(session);
}
