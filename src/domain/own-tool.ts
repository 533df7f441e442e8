import type { Session, ToolCall } from './session.ts';

/** The name of the tool by which Claude writes to the chat outside of its answer. */
const replyTool = 'reply';

/** A tool that the bridge itself answers: no hub lends it under this name. */
export const isOwnTool = (session: Session, { tool }: Pick<ToolCall, 'tool'>): boolean =>
  tool === replyTool && !session.tools.some(({ name }) => name === replyTool);
