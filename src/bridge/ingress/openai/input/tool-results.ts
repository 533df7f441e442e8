// What the tool messages of a request say about the calls that are open.
import type { CallerCommand } from '../../../../domain/commands.ts';
import { findTurn, type Session, type ToolCall } from '../../../../domain/state/session.ts';
import { isOwnTool } from '../../../../domain/tools/own-tool.ts';
import { matchCallId } from '../request/call-id.ts';
import type { NewestInput } from './newest-input.ts';

/** Repeats and strangers among the results answer nothing. */
export function toolAnswers({ toolResults }: NewestInput, session: Session): CallerCommand[] {
  const calls = session.calls.filter((call) => isHubs(call) && !isCancelled(session, call));
  const open = new Set(calls.map(({ call }) => call));
  return toolResults.flatMap(({ callId, content, outcome }): CallerCommand[] => {
    const call = matchCallId(callId, open);
    if (call === undefined) return [];
    open.delete(call);
    return [{ type: 'tool.answer', call, ok: outcome === 'done', content }];
  });
}

/** A client that goes on without the result of a call that it was given has left it: nobody else will answer it. */
export const leftCalls = (session: Session): CallerCommand[] =>
  session.calls
    .filter((call) => call.handed === true && !isOwnTool(session, call))
    .map(({ call }) => ({ type: 'tool.answer', call, ok: false, content: leftWords }));

const leftWords =
  'Nobody ran this: the next message came without its result. That message reaches you when you are done.';

/** The turns whose calls OpenClaw never ran: somebody typed `/stop` meanwhile. */
export function abortedTurns({ toolResults }: NewestInput, { calls }: Session): string[] {
  const ids = calls.filter(isHubs).map(({ call }) => call);
  const missing = toolResults.filter(({ outcome }) => outcome === 'missing');
  const turns = missing.flatMap(({ callId }) => {
    const id = matchCallId(callId, ids);
    const turn = calls.find(({ call }) => call === id)?.turn;
    return turn === undefined ? [] : [turn];
  });
  return [...new Set(turns)];
}

/** What a provider runs is answered by the bridge alone, whoever names its id. */
const isHubs = ({ provider }: ToolCall): boolean => provider === undefined;

/** Claude is interrupted: a result now would only make it go on. */
const isCancelled = (session: Session, call: ToolCall): boolean =>
  call.turn !== undefined && findTurn(session, call.turn)?.cancelledBy !== undefined;
