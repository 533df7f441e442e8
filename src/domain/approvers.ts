// Who may answer a permission question in a chat. Ids decide, never names or rooms.

/** Whoever answers, as far as the ingress can prove it. */
export interface Voice {
  /** The hub vouches for the sender of each message. Without it the caller is the holder of the bridge's token. */
  proven: boolean;
  sender?: string;
  /** `telegram`, `discord`, … */
  channel?: string;
  group: boolean;
  /** The text is somebody else's, passed on. */
  forwarded?: boolean;
  /** The hub says that no person wrote it. */
  bot?: boolean;
}

export type Refused =
  | 'forwarded'
  | 'bot'
  | 'no_sender'
  | 'not_listed'
  | 'not_the_asker'
  | 'group_without_approvers';

/**
 * @param asker id of the sender whose message started the turn
 * @param approvers configured ids, `id` or `channel:id`; empty = the asker in a direct chat, nobody in a group
 * @returns undefined when the voice may answer
 */
export function refusedVoice(
  asker: string | undefined,
  voice: Voice,
  approvers: readonly string[],
): Refused | undefined {
  const { proven, sender, channel, group, forwarded, bot } = voice;
  if (forwarded) return 'forwarded';
  if (bot) return 'bot';
  // A hub's turn must not be answered by a request that lost its sender, nor the other way round.
  if (!proven) return asker === undefined ? undefined : 'no_sender';
  if (sender === undefined) return 'no_sender';
  if (approvers.length > 0) {
    const listed = approvers.includes(sender) || approvers.includes(`${channel}:${sender}`);
    return listed ? undefined : 'not_listed';
  }
  if (group) return 'group_without_approvers';
  return sender === asker ? undefined : 'not_the_asker';
}
