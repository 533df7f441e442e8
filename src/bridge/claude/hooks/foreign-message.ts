// Claude Code lets the sessions of one user write to each other without a question, and what is written begins a turn there
// (measured on 2.1.332). Its rules know no way to deny that and allow messages to agents, so each one is looked at.
import { z } from 'zod';
import type { Ruling } from '../../../domain/policy/ruling.ts';

/** Claude Code's tool for it. */
export const messageTool = 'SendMessage';

const Message = z.object({ to: z.string() });

/**
 * @param isOwn whether an agent was started by this session
 * @returns undefined for whatever is no message to somebody else
 */
export function foreignMessage(
  tool: string,
  input: unknown,
  isOwn: (agent: string) => boolean,
): Ruling | undefined {
  if (tool !== messageTool) return undefined;
  const { data } = Message.safeParse(input);
  if (data && isOwn(data.to)) return undefined;
  const reason = 'only an agent that this session has started can be written to, by its id';
  return { decision: 'deny', why: 'a message to another session', reason };
}
