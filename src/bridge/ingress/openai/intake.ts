// A classified request → what it changes in the conversation, and what its response reads.
import { newId } from '../../../base/ids.ts';
import { never } from '../../../base/never.ts';
import type { Voice } from '../../../domain/approvers.ts';
import { outcomeText } from '../../../domain/outcome.ts';
import { emptySession, findTurn, type Session, type ToolCall, type Turn } from '../../../domain/session.ts';
import type { HubLink, LaunchOptions, Sender } from '../../../protocol/events.ts';
import type { Dispatcher, Outcome } from '../../app/dispatcher.ts';
import { hungUp } from '../../app/hangups.ts';
import type { VerdictDesk } from '../../app/verdict-desk.ts';
import { attachmentLines, type SaveMedia } from './attachments.ts';
import { matchCallId } from './call-id.ts';
import { type ConversationCall, classify } from './classify.ts';
import { dedupKey, type Identity, identify, lifecycle } from './identity.ts';
import { afterQueued } from './inbound-text.ts';
import type { NewestInput, NewText } from './newest-input.ts';
import { type OpenClawFacts, openClawFacts } from './openclaw-facts.ts';
import type { ProviderRequest } from './provider-request.ts';
import { holds, type Lost, lostTurns, partOf, responseName } from './repeats.ts';
import { summaryOf } from './summary.ts';
import { titleOf } from './title.ts';

/** What a request is answered with. */
export type Reply =
  | Reading
  /** Words of our own; no session is involved. */
  | { kind: 'words'; text: string }
  /** Nothing in it can be answered. */
  | { kind: 'nothing_new' }
  /** The disk took nothing: nothing was accepted. */
  | { kind: 'not_stored' };

/** The text of the unread turns up to `target`. `seq`: on disk before anything is acknowledged. */
interface Reading {
  kind: 'read';
  key: string;
  target: string;
  request: string;
  seq: number;
  inputCharacters: number;
  /** A client that hangs up wants Claude to stop: OpenClaw's `/stop`. */
  stops: boolean;
  /** Turns that the client shows as unanswered although their answer was sent: they are read once more. */
  lost: Lost;
  /** The client sends one request at a time: whoever else reads is a connection that died. */
  alone: boolean;
  /** Words of our own in front of it. */
  note?: string;
}

export interface IntakeOptions {
  dispatcher: Dispatcher;
  newClaudeId(): string;
  /** What the session is started with: configuration and the profile that fits its key. */
  launchFor(key: string): LaunchOptions;
  saveMedia: SaveMedia;
  verdicts: VerdictDesk;
  /** What happens to OpenClaw's heartbeats. */
  heartbeat: 'skip' | 'forward';
}

interface Case {
  request: ProviderRequest;
  identity: Identity;
  input: NewestInput;
  /** OpenClaw repeats a message only when the first attempt failed; a plain client may send one twice on purpose. */
  fromOpenClaw: boolean;
  /** Who wrote the newest message. */
  voice: Voice;
  /** Turns whose answer the client does not have. */
  lost: Lost;
}

interface Submission {
  text: string;
  /** The message that is to be answered; undefined when the hub itself asks. */
  newest?: NewText;
  /** The messages that `text` is made of. */
  fresh: readonly NewText[];
  meta?: Record<string, string>;
}

export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  take(request: ProviderRequest): Reply {
    const facts = openClawFacts(request);
    const call = classify(request, facts);
    if (call.kind === 'session_title') return { kind: 'words', text: titleOf(call.text) };
    if (call.kind === 'compaction_summary') return { kind: 'words', text: summaryOf(call.text) };
    const identity = identify(request, facts, (id) => this.#keyOfHubSession(id));
    const session = this.#options.dispatcher.session(identity.key);
    return this.#converse(call, {
      request,
      identity,
      input: call.input,
      fromOpenClaw: facts !== undefined,
      voice: voiceOf(facts, call.input),
      lost: facts && session ? lostTurns(session, request, call.input) : new Map(),
    });
  }

  #converse(call: ConversationCall, about: Case): Reply {
    switch (call.kind) {
      case 'heartbeat':
        // Unless the operator wants it, a monitor's question every half hour does not wake Claude.
        if (this.#options.heartbeat === 'forward')
          return this.#event(about, call.text, { unattended: 'heartbeat' });
        return { kind: 'words', text: call.quiet };
      case 'memory_flush':
        return { kind: 'words', text: 'NO_REPLY' };
      case 'cron':
        return this.#event(about, call.text, { unattended: 'scheduled run', own_session: 'yes' });
      case 'subagent_child':
        return this.#event(about, call.text, { unattended: 'subagent', own_session: 'yes' });
      case 'subagent_completion':
        return this.#event(about, call.text, {});
      case 'retry':
        return this.#repeated(about, call.original) ?? this.#message(about);
      case 'continue':
        return this.#readAgain(about, (turn) => !turn.adopted) ?? this.#message(about);
      case 'tool_results':
        return this.#goOn(about) ?? { kind: 'nothing_new' };
      case 'user':
      case 'tool_results_and_user':
        this.#stopAborted(about);
        this.#takeResults(about);
        return this.#message(about);
      case 'empty':
        return { kind: 'nothing_new' };
      default:
        return never(call);
    }
  }

  /** A person's message: a verdict on an open question, or a turn of its own. */
  #message(about: Case): Reply {
    const { texts } = about.input;
    const newest = texts.at(-1);
    if (!newest) return { kind: 'nothing_new' };
    const decided = this.#verdict(about, newest);
    if (decided) return decided;
    const fresh = this.#unknown(about);
    return this.#submit(about, { text: joined(fresh), newest, fresh });
  }

  /** What the hub itself asks for; messages of people that came with it travel along. */
  #event(about: Case, text: string, meta: Record<string, string>): Reply {
    this.#takeResults(about);
    const fresh = this.#unknown(about);
    const people = joined(fresh);
    return this.#submit(about, { text: people === '' ? text : `${people}\n\n${text}`, fresh, meta });
  }

  /** The texts that no earlier request brought; the newest always counts. */
  #unknown({ identity, input }: Case): NewText[] {
    const turns = this.#options.dispatcher.session(identity.key)?.turns ?? [];
    const taken = turns.map((turn) => turn.text);
    const newest = input.texts.at(-1);
    return input.texts
      .filter((text) => text === newest || !turns.some((turn) => holds(turn, text.text)))
      .map((text) =>
        text.wrapper === 'queued' ? { ...text, text: afterQueued(text.text, taken) ?? text.text } : text,
      );
  }

  #submit(about: Case, { text, newest, fresh, meta = {} }: Submission): Reply {
    const { dispatcher, newClaudeId, launchFor } = this.#options;
    const { request, identity, input, fromOpenClaw } = about;
    const { key } = identity;
    const attached = attachmentLines(input, text, this.#options.saveMedia);
    const launch = launchFor(key);
    this.#link(about, launch);
    this.#catalog(about);
    const { idempotencyKey, retryCount = '0' } = request.headers;
    const certain = fromOpenClaw || idempotencyKey !== undefined || retryCount !== '0';
    const dedup =
      idempotencyKey ??
      dedupKey(request, {
        text: newest?.text ?? text,
        ...(newest?.stamp && { stamp: newest.stamp }),
      });
    const sender = senderOf(newest);
    const whole = [text, attached].filter((part) => part !== '').join('\n');
    const outcome = dispatcher.dispatch(key, {
      type: 'turn.submit',
      turn: newId('t'),
      claude: newClaudeId(),
      launch,
      ingress: 'openai',
      text: whole,
      ...(fresh.some((each) => each.text !== whole) && { parts: fresh.map((each) => partOf(each.text)) }),
      dedup: { key: dedup, repeat: certain ? 'always' : 'until_answered' },
      meta: { ...metaOf(about), ...meta },
      ...(sender && { sender }),
      ...(identity.source === 'fingerprint' && { guessed: true }),
    });
    const target = targetOf(outcome, dispatcher.session(key));
    return target ? this.#read(about, target, outcome) : { kind: 'not_stored' };
  }

  /** Tool results: Claude goes on with the turn that is running. */
  #goOn(about: Case): Reply | undefined {
    if (this.#session(about)) this.#catalog(about);
    const outcome = this.#takeResults(about);
    const session = this.#session(about);
    // The newest one: another message may have come while the tool was waited for.
    const turns = session?.turns.filter((each) => each.ingress === 'openai' && !each.adopted) ?? [];
    const turn = turns.findLast((each) => !each.answered) ?? turns.at(-1);
    return turn && this.#read(about, turn.id, outcome);
  }

  /** What may be called differs from request to request, also within a turn. */
  #catalog({ request, identity, fromOpenClaw }: Case): void {
    const { tools } = request;
    if (fromOpenClaw || tools.length > 0)
      this.#options.dispatcher.dispatch(identity.key, { type: 'catalog.set', tools });
  }

  /**
   * `/stop` while OpenClaw runs a tool is only seen here: the call has no result when the next message comes. Whoever
   * stopped a turn does not want to hear the rest of it.
   */
  #stopAborted(about: Case): void {
    const session = this.#session(about);
    const open = session?.calls ?? [];
    const ids = open.map(({ call }) => call);
    const missing = about.input.toolResults.filter(({ outcome }) => outcome === 'missing');
    for (const { callId } of missing) {
      const call = open.find((each) => each.call === matchCallId(callId, ids));
      if (call?.turn === undefined) continue;
      this.#options.dispatcher.dispatch(about.identity.key, {
        type: 'turn.cancel',
        turn: call.turn,
        by: hungUp,
      });
    }
  }

  #takeResults({ identity, input }: Case): Outcome | undefined {
    let last: Outcome | undefined;
    for (const { callId, content, outcome } of input.toolResults) {
      const session = this.#options.dispatcher.session(identity.key);
      const open = session?.calls.filter((call) => !isCancelled(session, call)) ?? [];
      const call = matchCallId(
        callId,
        open.map((each) => each.call),
      );
      if (call === undefined) continue;
      last = this.#options.dispatcher.dispatch(identity.key, {
        type: 'tool.answer',
        call,
        ok: outcome === 'done',
        content,
      });
    }
    return last;
  }

  /** A message that was sent before, which may have been an answer to a question. */
  #repeated(about: Case, original: string): Reply | undefined {
    const session = this.#session(about);
    const asked = session && this.#options.verdicts.turnOf(session, original);
    return this.#readAgain(about, (turn) => holds(turn, original) || turn.id === asked);
  }

  /** A repeat that the runner wraps: its response has the same name, so it is read from the same place. */
  #readAgain(about: Case, fits: (turn: Turn) => boolean): Reply | undefined {
    this.#takeResults(about);
    const turn = this.#session(about)?.turns.findLast(fits);
    if (!turn) return undefined;
    return this.#read(about, turn.id, undefined);
  }

  /** An answer to an open question lets the turn go on; its rest is read by this request. */
  #verdict(about: Case, newest: NewText): Reply | undefined {
    // Merged, repeated and queued texts were sent before the question could be read.
    if (newest.merged || newest.wrapper !== 'message') return undefined;
    // A code of another conversation must not become the first message of this one.
    const session = this.#session(about) ?? emptySession(about.identity.key);
    const who = newest.sender?.name ?? newest.sender?.id;
    const taken = this.#options.verdicts.take(session, newest.text, about.voice, who);
    if (!taken) return undefined;
    if (taken.kind === 'words') return taken;
    const unread = session.turns.findLast((turn) => !turn.adopted && !turn.answered);
    if (taken.kind === 'late') {
      const { text } = taken;
      return unread ? { ...this.#read(about, unread.id, undefined), note: text } : { kind: 'words', text };
    }
    if (unread) return this.#read(about, unread.id, taken.outcome);
    const ask = this.#session(about)?.asks.find(({ code }) => code === taken.ask.code);
    return { kind: 'words', text: outcomeText(ask ?? taken.ask) };
  }

  #read(about: Case, target: string, outcome: Outcome | undefined): Reading {
    const { request, identity, input, fromOpenClaw } = about;
    const characters = input.texts.reduce((sum, { text }) => sum + text.length, 0);
    return {
      kind: 'read',
      key: identity.key,
      target,
      request: responseName(request, { fromOpenClaw, input, target }),
      seq: outcome?.ok ? outcome.seq : 0,
      inputCharacters: characters,
      stops: fromOpenClaw,
      lost: about.lost,
      alone: fromOpenClaw,
    };
  }

  /** Follows OpenClaw's own transcript: `/new` there starts a fresh Claude session under the same key. */
  #link(about: Case, launch: LaunchOptions): void {
    const { dispatcher, newClaudeId } = this.#options;
    const { identity, request } = about;
    const { sessionId: id, generation } = identity.openclaw ?? {};
    if (id === undefined) return;
    const link: HubLink = { id, ...(generation !== undefined && { generation }) };
    const session = dispatcher.session(identity.key);
    const { id: sessionId, generation: before } = session?.link ?? {};
    const remembered = session?.link && {
      ...(sessionId && { sessionId }),
      ...(before !== undefined && { generation: before }),
    };
    const command =
      session?.claude && lifecycle(request, identity, remembered) === 'reset'
        ? ({ type: 'session.renew', claude: newClaudeId(), launch, link } as const)
        : ({ type: 'session.link', link } as const);
    dispatcher.dispatch(identity.key, command);
  }

  #session({ identity }: Case): Session | undefined {
    return this.#options.dispatcher.session(identity.key);
  }

  #keyOfHubSession(id: string): string | undefined {
    return this.#options.dispatcher.sessions().find((session) => session.link?.id === id)?.key;
  }
}

/** Claude is interrupted: a result now would only make it go on. */
const isCancelled = (session: Session, call: ToolCall): boolean =>
  call.turn !== undefined && findTurn(session, call.turn)?.cancelledBy !== undefined;

function targetOf(outcome: Outcome, session: Session | undefined): string | undefined {
  if (outcome.ok) return session?.turns.at(-1)?.id;
  return outcome.rejection.code === 'duplicate' ? outcome.rejection.turn : undefined;
}

/** Several messages that got no answer yet travel as one; who wrote which stays visible. */
function joined(texts: readonly NewText[]): string {
  const senders = new Set(texts.map((text) => text.sender?.id));
  if (senders.size <= 1) return texts.map((text) => text.text).join('\n\n');
  return texts.map(({ text, sender }) => `${sender?.name ?? sender?.id ?? 'someone'}: ${text}`).join('\n\n');
}

function voiceOf(facts: OpenClawFacts | undefined, input: NewestInput): Voice {
  const sender = input.texts.at(-1)?.sender?.id;
  return {
    proven: facts?.sendersProven ?? false,
    group: isGroup(facts, input),
    ...(sender !== undefined && { sender }),
    ...(facts?.channel !== undefined && { channel: facts.channel }),
    ...(facts?.context?.forwarded && { forwarded: true }),
    ...((input.texts.at(-1)?.sender?.bot || input.conversation?.sender?.is_bot) && { bot: true }),
  };
}

/** In doubt it is a group: there nobody may answer before approvers are named. */
function isGroup(facts: OpenClawFacts | undefined, input: NewestInput): boolean {
  const { meta, sessionKey = '' } = facts ?? {};
  if (input.conversation?.is_group_chat || /:(group|channel|room|thread):/.test(sessionKey)) return true;
  return meta?.chat_type !== undefined && meta.chat_type !== 'direct';
}

function senderOf(text: NewText | undefined): Sender | undefined {
  if (!text?.sender) return undefined;
  const { id, name, username } = text.sender;
  const label = name ?? username;
  return { id, ...(label !== undefined && { name: label }) };
}

function metaOf({ identity, input, voice }: Case): Record<string, string> {
  const { channel } = identity.openclaw ?? {};
  const chat = input.conversation?.chat_id;
  return {
    ...(channel !== undefined && { source_channel: channel }),
    ...(chat !== undefined && { source_chat: String(chat) }),
    ...(voice.group && { chat_type: 'group' }),
  };
}
