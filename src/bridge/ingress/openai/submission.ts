import type { CallerCommand } from '../../../domain/commands.ts';
import { type Part, writerOf } from '../../../domain/message/writer.ts';
import { unprovenBy } from '../../../domain/question/approvers.ts';
import type { LaunchOptions, Sender } from '../../../protocol/events/events.ts';
import type { Quote } from '../../../protocol/quote.ts';
import type { Placing } from '../../app/desks/queue-desk.ts';
import type { Case } from './case.ts';
import { dedupKey } from './identity/identity.ts';
import { partOf } from './identity/repeats.ts';
import type { NewText } from './input/newest-input.ts';

/** What Claude is to be told. */
export interface Submission {
  text: string;
  /** The message that is to be answered; undefined when the hub itself asks. */
  newest?: NewText;
  /** The messages that `text` is made of. */
  fresh: readonly NewText[];
  quotes?: readonly Quote[];
  dedup: Dedup;
  meta?: Record<string, string>;
  /** How it goes in line. */
  placing?: Placing;
}

/** @param made what the caller of a pure function has to bring: ids, the launch, the text with what came with it */
export function submitCommand(
  about: Case,
  { newest, fresh, quotes, dedup, meta = {}, placing }: Submission,
  made: { turn: string; claude: string; launch: LaunchOptions; whole: string },
): CallerCommand {
  const { turn, claude, launch, whole } = made;
  const sender = senderOf(newest);
  return {
    type: 'turn.submit',
    turn,
    claude,
    launch,
    ingress: 'openai',
    text: whole,
    ...(fresh.some((each) => each.text !== whole) && { parts: fresh.map((each) => partOf(each.text)) }),
    ...(quotes?.length && { quotes: [...quotes] }),
    dedup,
    meta: { ...metaOf(about), ...meta },
    ...(sender && { sender }),
    ...(placing && { mode: placing.mode }),
    ...(about.request.headers.trace !== undefined && { trace: about.request.headers.trace }),
    ...(about.identity.source === 'fingerprint' && { guessed: true }),
  };
}

type Dedup = NonNullable<Extract<CallerCommand, { type: 'turn.submit' }>['dedup']>;

/** How a repeat of a message is recognised. */
export function dedupOf(
  { request, fromOpenClaw }: Pick<Case, 'request' | 'fromOpenClaw'>,
  { text, stamp }: Pick<NewText, 'text' | 'stamp'>,
): Dedup {
  const { idempotencyKey, retryCount = '0' } = request.headers;
  // A response is continued once: whoever continues it with the same words again repeats the request.
  const certain =
    fromOpenClaw || request.previous !== undefined || idempotencyKey !== undefined || retryCount !== '0';
  return {
    key: idempotencyKey ?? dedupKey(request, { text, ...(stamp && { stamp }) }),
    repeat: certain ? 'always' : 'until_answered',
  };
}

/** The texts of a request, with the labels by which Claude is told who wrote them. */
export const writtenIn = (about: Case, texts: readonly NewText[]): Part[] =>
  texts.map(({ text, quotes, ...by }) => ({
    writer: writerIn(about, { ...by, text }),
    text,
    ...(quotes && { quotes }),
  }));

function writerIn(about: Case, text: NewText): string {
  const sender = senderOf(text);
  const meta = { ...metaOf(about), ...(about.voice.proven && !text.sender && { unproven: 'nameless' }) };
  return writerOf({ ingress: 'openai', meta, ...(sender && { sender }) });
}

function senderOf(text: NewText | undefined): Sender | undefined {
  if (!text?.sender) return text?.claimed === undefined ? undefined : { name: text.claimed };
  const { id, name, username } = text.sender;
  const label = name ?? username;
  return { id, ...(label !== undefined && { name: label }) };
}

function metaOf({ request, identity, input, voice, account }: Case): Record<string, string> {
  const { channel } = identity.openclaw ?? {};
  const chat = input.conversation?.chat_id ?? request.headers.chatId;
  const thread = input.conversation?.topic_id;
  const unproven = unprovenBy(voice);
  return {
    ...(channel !== undefined && { source_channel: channel }),
    ...(chat !== undefined && { source_chat: String(chat) }),
    ...(account !== undefined && { source_account: account }),
    ...(thread !== undefined && { source_thread: thread }),
    ...(voice.group && { chat_type: 'group' }),
    ...(unproven && { unproven }),
  };
}
