import type { Session, ToolCall } from './session.ts';

/** The name of the tool by which Claude writes to the chat outside of its answer. */
const replyTool = 'reply';

/** A tool that the bridge itself answers: a provider runs it, or no hub lends it under this name. */
export const isOwnTool = (
  session: Session,
  { tool, provider }: Pick<ToolCall, 'tool' | 'provider'>,
): boolean =>
  provider !== undefined || (tool === replyTool && !session.tools.some(({ name }) => name === replyTool));
