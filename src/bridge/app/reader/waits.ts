// What a chat has to do something about.
import { isDialog } from '../../../domain/question/dialog-question.ts';
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

/** Questions of agents whose turn is over, and dialogs where none is in flight: whoever reads the next answer there is asked with it. */
export const leftAsks = (session: Session, { ingress }: Turn): Ask[] =>
  openAsks(session).filter((ask) => {
    const { agent, told, turn: id } = ask;
    const turn = id === undefined ? undefined : findTurn(session, id);
    const isOut = turn !== undefined && (isSettled(turn) || turn.phase.name === 'queued');
    return (agent || isDialog(ask)) && told === 'nothing' && turn?.ingress === ingress && isOut;
  });
