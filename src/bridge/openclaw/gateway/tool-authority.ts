// For whom OpenClaw's tools may be run outside of a turn. Pure.

import { isForwarded } from '../../../domain/message/quote.ts';
import { refusedVoice } from '../../../domain/question/approvers.ts';
import { findTurn, type Session, type ToolCall } from '../../../domain/state/session.ts';
import type { Turn } from '../../../domain/state/turn.ts';

/**
 * Out of turn OpenClaw knows no sender: it runs a tool with its owner's rights and asks nobody. So it is only done for
 * the operator, and for people who may answer permission questions: those can have Claude do anything already. A call
 * that no message asked for counts as asked by everybody who wrote in the conversation, or whom Claude speaks for.
 *
 * @param approvers configured sender ids; empty = the asker, in direct chats only
 */
export function mayInvoke(session: Session, call: ToolCall, approvers: readonly string[]): boolean {
  const own = call.turn === undefined ? undefined : findTurn(session, call.turn);
  if (own && !own.adopted) return speaksForOwner(own, approvers);
  return session.turns.every((turn) => speaksForOwner(turn, approvers));
}

function speaksForOwner({ ingress, sender, meta, quotes }: Turn, approvers: readonly string[]): boolean {
  if (ingress === 'operator') return true;
  if (meta.unattended !== undefined || meta.unproven === 'relayed') return false;
  // A chat's message without a sender; elsewhere (web chat, command line) there is none, only the gateway's owner.
  if (sender?.id === undefined && meta.source_chat !== undefined) return false;
  const voice = {
    proven: sender?.id !== undefined,
    group: meta.chat_type === 'group',
    forwarded: isForwarded(quotes),
    ...(sender?.id !== undefined && { sender: sender.id }),
    ...(meta.source_channel !== undefined && { channel: meta.source_channel }),
  };
  return refusedVoice(sender?.id, voice, approvers) === undefined;
}
