// What a chat has to do something about.
import { type Ask, findTurn, openAsks, type Session, type ToolCall } from '../../../domain/state/session.ts';
import { holdOf, isSettled, type Turn } from '../../../domain/state/turn.ts';
import { isOwnTool } from '../../../domain/tools/own-tool.ts';

/** Whether somebody else has to do something before the turn goes on, or begins. */
export const isAwaited = (session: Session, turn: Turn): boolean =>
  holdOf(turn) !== undefined || callsOf(session, turn).length > 0 || asksOf(session, turn).length > 0;

/** Calls for the hub. The bridge answers itself what is not lent, and what Claude calls in a turn nobody asked for. */
export const callsOf = (session: Session, turn: Turn): ToolCall[] =>
  turn.adopted ? [] : session.calls.filter((call) => call.turn === turn.id && !isOwnTool(session, call));

export const asksOf = (session: Session, turn: Turn): Ask[] =>
  openAsks(session).filter((ask) => ask.turn === turn.id);

/** Questions of agents whose turn is over: whoever reads the next answer there is asked with it. */
export const leftAsks = (session: Session, { ingress }: Turn): Ask[] =>
  openAsks(session).filter(({ agent, told, turn: id }) => {
    const turn = id === undefined ? undefined : findTurn(session, id);
    return agent && told === 'nothing' && turn?.ingress === ingress && isSettled(turn);
  });
