// Who may answer a permission question in a chat. Ids decide, never names or rooms.

/** Whoever answers, as far as the ingress can prove it. */
export interface Voice {
  /** The hub vouches for the sender of each message. Without it the caller is the holder of the bridge's token. */
  proven: boolean;
  /**
   * Neither: a hub passes on what somebody wrote in a channel of which nobody measured that it names its senders.
   * Such a message is nobody's.
   */
  relayed?: boolean;
  sender?: string;
  /** `telegram`, `discord`, … */
  channel?: string;
  group: boolean;
  /** The text is somebody else's, passed on. */
  forwarded?: boolean;
  /** It was said aloud, and the text is what a program made of it. */
  spoken?: boolean;
  /** The hub does not say whether it is: it was written while the model was at work. */
  bare?: boolean;
  /** The hub says that no person wrote it. */
  bot?: boolean;
}

export type Refused =
  | 'forwarded'
  | 'spoken'
  | 'bare'
  | 'bot'
  | 'unproven'
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
  const { proven, relayed, sender, group, forwarded, spoken, bare, bot } = voice;
  if (forwarded) return 'forwarded';
  if (spoken) return 'spoken';
  if (bare) return 'bare';
  if (bot) return 'bot';
  if (relayed || (proven && sender === undefined)) return 'unproven';
  if (approvers.length > 0) {
    if (sender === undefined || !proven) return 'unproven';
    return isListed(approvers, sender, voice.channel) ? undefined : 'not_listed';
  }
  if (group) return 'group_without_approvers';
  // A hub's turn must not be answered by a request that lost its sender, nor the other way round.
  if (!proven) return asker === undefined ? undefined : 'no_sender';
  return sender === asker ? undefined : 'not_the_asker';
}

/**
 * A chat user can choose an id such as `telegram:4242` on some channels. So an entry that begins with a channel holds
 * there only, and is no bare id anywhere.
 */
function isListed(approvers: readonly string[], sender: string, channel: string | undefined): boolean {
  const qualified = channel === undefined ? undefined : `${channel}:${sender}`;
  return approvers.some(
    (entry) => entry === qualified || (entry === sender && !beginsWithChannel.test(entry)),
  );
}

const beginsWithChannel = /^[\w-]+:/;

/** Kept with a turn whose sender nothing proves: `Voice` in one word, for those who read the turn later. */
export type Unproven = 'relayed' | 'nameless' | 'token';

export function unprovenBy({ proven, relayed, sender }: Voice): Unproven | undefined {
  if (relayed) return 'relayed';
  if (!proven) return 'token';
  return sender === undefined ? 'nameless' : undefined;
}

/** Whether nobody in the chat could answer what a turn asks, so that only the operator is left. */
export function waitsForOperator(
  meta: Readonly<Record<string, string>>,
  approvers: readonly string[],
): boolean {
  if (meta.unproven === 'relayed') return true;
  return approvers.length > 0
    ? meta.unproven === 'token'
    : meta.unproven === 'nameless' || meta.chat_type === 'group';
}

/** Names whoever speaks, for counting: a proven sender, else the session through which somebody unproven came. */
export const speakerOf = (key: string, { proven, channel, sender }: Voice): string =>
  proven && sender !== undefined ? `${channel ?? ''}:${sender}` : `session ${key}`;
