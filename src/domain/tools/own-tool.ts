import { findTurn, type Session, type ToolCall } from '../state/session.ts';

/** The name of the tool by which Claude writes to the chat outside of its answer. */
const replyTool = 'reply';

/** A tool that the bridge itself answers: a provider runs it, or no hub lends it under this name. */
export const isOwnTool = (
  session: Session,
  { tool, provider }: Pick<ToolCall, 'tool' | 'provider'>,
): boolean =>
  provider !== undefined || (tool === replyTool && !session.tools.some(({ name }) => name === replyTool));

/** No response hands its call out: no message asked for it, or it came from where no hub is. */
export function isOutOfTurn(session: Session, { turn: id }: Pick<ToolCall, 'turn'>): boolean {
  const turn = id === undefined ? undefined : findTurn(session, id);
  return turn?.ingress !== 'openai' || turn.adopted;
}
