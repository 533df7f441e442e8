// Where a turn came from, as OpenClaw addresses it. Pure.
import type { Session } from '../../../domain/state/session.ts';
import type { Turn } from '../../../domain/state/turn.ts';

/** A chat somebody can be reached in. */
export interface ChatAddress {
  /** `telegram`, `discord`, … */
  name: string;
  to: string;
  account?: string;
  /** A topic or thread of that chat. */
  thread?: string;
}

export interface SourceChat {
  /** `agent:main:telegram:group:-100777` */
  sessionKey: string;
  agentId: string;
  /** Undefined for the web chat and the command line. */
  chat?: ChatAddress;
}

/** Channels that hold no chat one could send to. */
const unreachable = new Set(['webchat', 'internal', 'cli', 'tui', 'unknown', 'none']);

/** @returns undefined for a turn that did not come from an OpenClaw session whose key is known */
export function sourceChat(sessionKey: string, turn: Turn): SourceChat | undefined {
  const agentId = /^agent:([^:]+):/.exec(sessionKey)?.[1];
  if (agentId === undefined || turn.ingress !== 'openai') return undefined;
  const { source_channel: name, source_chat: id, source_account: account, source_thread: thread } = turn.meta;
  if (name === undefined || id === undefined || unreachable.has(name)) return { sessionKey, agentId };
  const to = id.startsWith(`${name}:`) ? id.slice(name.length + 1) : id;
  const more = { ...(account !== undefined && { account }), ...(thread !== undefined && { thread }) };
  return { sessionKey, agentId, chat: { name, to, ...more } };
}

/** The chat of a turn, or of the conversation's newest turn that has one. */
export function nearestChat(session: Session, own: Turn | undefined): SourceChat | undefined {
  const turns = [...(own ? [own] : []), ...session.turns.toReversed()];
  const found = turns.flatMap((turn) => sourceChat(session.key, turn) ?? []);
  return found.find(({ chat }) => chat) ?? found[0];
}

/**
 * Parameters of the gateway's `send`.
 * @param idempotencyKey the gateway delivers what has the same key once
 * @returns undefined without a chat to send to
 */
export function sendParams(source: SourceChat, message: string, idempotencyKey: string): object | undefined {
  const { chat, sessionKey, agentId } = source;
  if (!chat) return undefined;
  return {
    channel: chat.name,
    to: chat.to,
    message,
    sessionKey,
    agentId,
    idempotencyKey,
    ...(chat.account !== undefined && { accountId: chat.account }),
    ...(chat.thread !== undefined && { threadId: chat.thread }),
  };
}
