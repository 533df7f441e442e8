// A classified request → what it changes in the conversation, and what its response reads. What is decided here is
// decided by the pure files around it; this one dispatches.
import { newId } from '../../../base/ids.ts';
import { never } from '../../../base/never.ts';
import { findRepeat } from '../../../domain/decide/decide-turn.ts';
import { hub } from '../../../domain/message/writer.ts';
import { speakerOf } from '../../../domain/question/approvers.ts';
import type { Session } from '../../../domain/state/session.ts';
import type { Turn } from '../../../domain/state/turn.ts';
import type { LaunchOptions } from '../../../protocol/events/events.ts';
import type { Placing, QueueDesk } from '../../app/desks/queue-desk.ts';
import type { VerdictDesk } from '../../app/desks/verdict-desk.ts';
import type { Dispatcher, Outcome } from '../../app/dispatcher.ts';
import { hungUp } from '../../app/hangups.ts';
import type { MessageGate } from '../../app/message-gate.ts';
import { type Case, caseOf } from './case.ts';
import { Catalogs } from './catalogs.ts';
import type { Place } from './elsewhere.ts';
import { type HttpFault, sessionOutside } from './errors.ts';
import { followHub } from './hub-link.ts';
import { branchOf } from './identity/branches.ts';
import { continuedBy, goesBack, placeOf } from './identity/continuation.ts';
import { type Identity, identify } from './identity/identity.ts';
import { holds } from './identity/repeats.ts';
import { isWithin } from './identity/within-limit.ts';
import { withAttachments } from './input/attachments.ts';
import { type ConversationCall, classify } from './input/classify.ts';
import { withoutClientPrefix } from './input/client-prefix.ts';
import { freshTexts, joinedTexts } from './input/fresh-texts.ts';
import type { NewText } from './input/newest-input.ts';
import { type OpenClawFacts, openClawFacts } from './input/openclaw-facts.ts';
import { abortedTurns, leftCalls, toolAnswers } from './input/tool-results.ts';
import { type Reply, readingOf, refusalOf, type Unnamed } from './reply.ts';
import type { ProviderRequest } from './request/provider-request.ts';
import { closeHeld } from './stored/held-answers.ts';
import type { StoredResponses } from './stored/stored-responses.ts';
import { dedupOf, type Submission, submitCommand, writtenIn } from './submission.ts';
import { summaryOf } from './utility/summary.ts';
import { titleOf } from './utility/title.ts';
import { repeatedVerdictOf, verdictOf } from './verdicts.ts';

export interface IntakeOptions {
  dispatcher: Dispatcher;
  newClaudeId(): string;
  /** What the session is started with: configuration and the profile that fits its key. */
  launchFor(key: string): LaunchOptions;
  /** Stores bytes where the Claude Code of this conversation may read them. @returns the absolute path */
  saveMedia(key: string, bytes: Uint8Array, mime: string): string;
  verdicts: VerdictDesk;
  gate: MessageGate;
  queue: QueueDesk;
  stored: StoredResponses;
  /** What happens to OpenClaw's heartbeats. */
  heartbeat: 'skip' | 'forward';
  /** Channels on which OpenClaw names the sender of every message. */
  provenChannels: readonly string[];
}

export class Intake {
  readonly #options: IntakeOptions;
  readonly #catalogs = new Catalogs();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** @param limit the conversations that the request may touch, as `fitsSession` has it; undefined: all */
  take(request: ProviderRequest, limit?: string): Reply {
    const facts = openClawFacts(request, this.#options.provenChannels);
    const call = classify(request, facts);
    const { stored } = this.#options;
    if (limit !== undefined && !isWithin(limit, request, stored, () => this.#identify(request, facts)))
      return { kind: 'refused', fault: sessionOutside(limit) };
    if (call.kind === 'session_title') return { kind: 'words', text: titleOf(call.text) };
    if (call.kind === 'compaction_summary') return { kind: 'words', text: summaryOf(call.text) };
    if (call.kind === 'one_shot') return { kind: 'one_shot' };
    const identity = this.#identify(request, facts);
    if ('fault' in identity) return { kind: 'refused', ...identity };
    const { dispatcher } = this.#options;
    const before = dispatcher.session(identity.key);
    for (const close of before ? closeHeld(before, request) : []) dispatcher.dispatch(identity.key, close);
    const session = dispatcher.session(identity.key);
    const about = caseOf({ request, identity }, call, facts, session);
    const fault = session && goesBack(about, session);
    return fault ? { kind: 'refused', fault } : this.#converse(call, about);
  }

  /**
   * The conversation that a request belongs to, for whoever asks where that lives.
   * @returns undefined where only this bridge can answer: a utility call, or what goes on from nothing that has a place
   */
  conversationOf(request: ProviderRequest): Place | undefined {
    const facts = openClawFacts(request, this.#options.provenChannels);
    if (!('input' in classify(request, facts))) return undefined;
    const named = identify(request, facts, (id) => this.#keyOfHubSession(id));
    return placeOf(request, named, this.#options.stored);
  }

  #identify(request: ProviderRequest, facts: OpenClawFacts | undefined): Identity | { fault: HttpFault } {
    const named = identify(request, facts, (id) => this.#keyOfHubSession(id));
    const continued = continuedBy(request, named, this.#options.stored);
    if (continued) return continued;
    if (named.source !== 'fingerprint' || facts) return named;
    return { ...named, key: branchOf(request, named.key, (key) => this.#options.dispatcher.session(key)) };
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
      case 'note':
      case 'subagent_completion':
        return this.#event(about, call.text, {});
      case 'retry':
        return (
          repeatedVerdictOf(this.#options, about) ??
          this.#repeated(about, call.original) ??
          this.#message(about)
        );
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
    const newest = about.input.texts.at(-1);
    if (!newest) return { kind: 'nothing_new' };
    const decided = verdictOf(this.#options, about, newest);
    if (decided) return decided;
    const fresh = this.#fresh(about);
    const placing = this.#placing(about, newest);
    const written = fresh.map((each) => (each === newest ? { ...each, text: placing.text } : each));
    const dedup = dedupOf(about, newest);
    const submission = { ...joinedTexts(writtenIn(about, written)), newest, fresh, placing, dedup };
    const limited = this.#overLimit(about, submission);
    if (limited) return limited;
    this.#dropLeft(about, dedup);
    return this.#submit(about, submission);
  }

  /** Merged, repeated and queued texts are not as their sender wrote them. */
  #placing({ identity, voice }: Case, newest: NewText): Placing {
    const isOwn = !newest.merged && newest.wrapper === 'message';
    const placing = this.#options.queue.read(identity.key, isOwn ? newest.text : '', voice);
    return isOwn ? placing : { ...placing, text: newest.text };
  }

  /** OpenClaw says itself what became of a call, and a retry may be of the very response that had it. */
  #dropLeft(about: Case, dedup: Submission['dedup']): void {
    const session = this.#session(about);
    if (!session || about.fromOpenClaw) return;
    if (dedup.repeat === 'always' && findRepeat(session, dedup)) return;
    for (const answer of leftCalls(session)) this.#options.dispatcher.dispatch(about.identity.key, answer);
  }

  /** A repeat of a message that was taken is not counted again. */
  #overLimit(about: Case, { text, fresh, dedup }: Submission): Reply | undefined {
    const session = this.#session(about);
    if (session && findRepeat(session, dedup)) return undefined;
    const speaker = speakerOf(about.identity.key, about.voice);
    const words = this.#options.gate.refuses(speaker, text, fresh.length);
    if (words === undefined) return undefined;
    // A tool's result came with it: Claude goes on, and somebody has to read what it says.
    const going = about.input.toolResults.length > 0 ? this.#goOn(about) : undefined;
    return going?.kind === 'read' ? { ...going, note: words } : { kind: 'words', text: words };
  }

  /** What the hub itself asks for; messages of people that came with it travel along. */
  #event(about: Case, text: string, meta: Record<string, string>): Reply {
    this.#takeResults(about);
    const fresh = this.#fresh(about);
    const joined = joinedTexts([...writtenIn(about, fresh), { writer: hub, text }]);
    const dedup = dedupOf(about, joined);
    return this.#submit(about, { ...joined, fresh, dedup, meta: { ...joined.meta, ...meta, from: hub } });
  }

  #fresh(about: Case): NewText[] {
    return freshTexts(about.input, this.#session(about)?.turns ?? []);
  }

  #submit(about: Case, submission: Submission): Reply {
    const { dispatcher, newClaudeId, launchFor, saveMedia } = this.#options;
    const { key } = about.identity;
    const whole = withAttachments(about.input, submission.text, (bytes, mime) => saveMedia(key, bytes, mime));
    const launch = launchFor(key);
    this.#link(about, launch);
    this.#catalog(about);
    const made = { turn: newId('t'), claude: newClaudeId(), launch, whole };
    const outcome = dispatcher.dispatch(key, submitCommand(about, submission, made));
    const target = targetOf(outcome, dispatcher.session(key));
    if (target) {
      const note = submission.placing && this.#options.queue.wordsFor(key, target, submission.placing);
      const reading = { ...this.#read(about, target, outcome), submitted: outcome.ok };
      return note === undefined ? reading : { ...reading, note };
    }
    return refusalOf(outcome);
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
    const { dispatcher } = this.#options;
    if (!fromOpenClaw && request.tools.length === 0) return;
    const tools = this.#catalogs.change(dispatcher.session(identity.key)?.tools, request.tools);
    if (tools) dispatcher.dispatch(identity.key, { type: 'catalog.set', tools });
  }

  /**
   * `/stop` while OpenClaw runs a tool is only seen here: the call has no result when the next message comes. Whoever
   * stopped a turn does not want to hear the rest of it.
   */
  #stopAborted(about: Case): void {
    const session = this.#session(about);
    for (const turn of session ? abortedTurns(about.input, session) : [])
      this.#options.dispatcher.dispatch(about.identity.key, { type: 'turn.cancel', turn, by: hungUp });
  }

  /** @returns what became of the last one */
  #takeResults(about: Case): Outcome | undefined {
    const session = this.#session(about);
    const answers = session ? toolAnswers(about.input, session) : [];
    return answers.map((answer) => this.#options.dispatcher.dispatch(about.identity.key, answer)).at(-1);
  }

  /** A message that was sent before, which may have been an answer to a question. */
  #repeated(about: Case, original: string): Reply | undefined {
    const session = this.#session(about);
    const asked = session && this.#options.verdicts.turnOf(session, withoutClientPrefix(original));
    return this.#readAgain(about, (turn) => holds(turn, original) || turn.id === asked);
  }

  /** A repeat that the runner wraps: its response has the same name, so it is read from the same place. */
  #readAgain(about: Case, fits: (turn: Turn) => boolean): Reply | undefined {
    this.#takeResults(about);
    const turn = this.#session(about)?.turns.findLast(fits);
    return turn && this.#read(about, turn.id, undefined);
  }

  #read(about: Case, target: string, outcome: Outcome | undefined): Unnamed {
    return readingOf(about, target, outcome?.ok ? outcome.seq : 0);
  }

  #link(about: Case, launch: LaunchOptions): void {
    const { dispatcher, newClaudeId } = this.#options;
    const { link, reset } = followHub(about, this.#session(about)) ?? {};
    if (!link) return;
    dispatcher.dispatch(
      about.identity.key,
      reset ? { type: 'session.renew', claude: newClaudeId(), launch, link } : { type: 'session.link', link },
    );
  }

  #session({ identity }: Case): Session | undefined {
    return this.#options.dispatcher.session(identity.key);
  }

  #keyOfHubSession(id: string): string | undefined {
    return this.#options.dispatcher.sessions().find((session) => session.link?.id === id)?.key;
  }
}

function targetOf(outcome: Outcome, session: Session | undefined): string | undefined {
  if (outcome.ok) return session?.turns.at(-1)?.id;
  return outcome.rejection.code === 'duplicate' ? outcome.rejection.turn : undefined;
}
