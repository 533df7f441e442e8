// A message that may be an answer to a permission question. Only the text of one inbound message is ever looked at.
import { unfitFor, unfitText, wantsAnswer } from '../../../domain/question/answer-words.ts';
import { type Refused, refusedVoice, speakerOf, type Voice } from '../../../domain/question/approvers.ts';
import { operatorWords, unheardText, voteText } from '../../../domain/question/needs-text.ts';
import { lateText } from '../../../domain/question/outcome.ts';
import { digestOf, pictureOf } from '../../../domain/question/picture.ts';
import {
  answerRoad,
  type ChatPlace,
  chatParts,
  dialectOf,
  hiddenParts,
  partText,
  questionText,
} from '../../../domain/question/question-text.ts';
import { type ReadVerdict, readBare, readShow, readVerdict } from '../../../domain/question/verdict.ts';
import { visible } from '../../../domain/safe-text.ts';
import { type Ask, findTurn, openAsks, type Session } from '../../../domain/state/session.ts';
import type { Dispatcher, Outcome } from '../dispatcher.ts';
import type { Codes } from './codes.ts';
import type { Guesses } from './guesses.ts';

export interface VerdictOptions {
  dispatcher: Dispatcher;
  guesses: Guesses;
  codes: Pick<Codes, 'isKnown'>;
  /** Sender ids that may answer in this session; empty = the asker, in direct chats only. */
  approversFor(key: string): readonly string[];
}

/** What became of it. Undefined where it is an ordinary message. */
export type VerdictIntake =
  | { kind: 'decided'; ask: Ask; outcome: Outcome }
  /** Somebody was faster; what Claude wrote since may still be unread. */
  | { kind: 'late'; ask: Ask; text: string }
  /** `refused`: whoever wrote it may not answer. */
  | { kind: 'words'; text: string; refused: boolean };

export class VerdictDesk {
  readonly #options: VerdictOptions;

  constructor(options: VerdictOptions) {
    this.#options = options;
  }

  /**
   * @param text one inbound message, as its sender wrote it just now
   * @param who a label for whoever answers
   */
  take(session: Session, text: string, voice: Voice, who: string | undefined): VerdictIntake | undefined {
    const read = readVerdict(text);
    if (!read) return this.#show(session, text, voice) ?? this.#bare(session, text, voice, who);
    const ask = session.asks.find((each) => each.code === read.code);
    if (!ask) return this.#wrongCode(session, read, voice);
    if (!takesRest(ask, read)) return undefined;
    return this.#answer(session, ask, read, voice, who);
  }

  /** The turn whose question a text answers, decided or not: a repeat of that answer belongs to it. */
  turnOf(session: Session, text: string): string | undefined {
    const code = readVerdict(text)?.code;
    const isMeant =
      code === undefined && readBare(text) === 'no'
        ? ({ state }: Ask) => state.name !== 'asked' && state.by === 'chat' && state.verdict === 'deny'
        : (ask: Ask) => ask.code === code;
    return session.asks.findLast(isMeant)?.turn;
  }

  /**
   * One word without a code, while exactly one question is open: it never becomes a message to Claude, which would read it
   * after the question is over. A no to what was asked here denies; all else is told what to write. In a group the word
   * may be meant for somebody else, so only who may answer is told.
   */
  #bare(session: Session, text: string, voice: Voice, who: string | undefined): VerdictIntake | undefined {
    const said = readBare(text);
    const [ask, ...others] = openAsks(session);
    if (said === undefined || !ask || others.length > 0) return undefined;
    if (typeof said === 'number' && !wantsAnswer(ask)) return undefined;
    const refused = this.#refused(session, ask, voice);
    if (refused !== undefined)
      return voice.group ? undefined : refusal(`${refusedWords[refused]} Nothing was changed.`);
    const read = { verdict: said === 'no' ? 'deny' : 'allow', code: ask.code, rest: '' } as const;
    if (said === 'no' && !voice.group && ask.told === 'question')
      return this.#answer(session, ask, read, voice, who);
    if (ask.needs === 'operator') return refusal(`${operatorWords(ask.code)} Nothing was changed.`);
    const unfit = said === 'yes' ? unfitWords(ask, read, this.#place(session, ask)) : undefined;
    return words(unfit ?? codeWords(ask, said));
  }

  #answer(
    session: Session,
    ask: Ask,
    read: ReadVerdict,
    voice: Voice,
    who: string | undefined,
  ): VerdictIntake {
    const { dispatcher, guesses } = this.#options;
    if (guesses.isMuted(speakerOf(session.key, voice))) return refusal(mutedWords);
    const refused = this.#refused(session, ask, voice);
    if (refused) return refusal(`${refusedWords[refused]} Nothing was changed.`);
    const unfit = ask.state.name === 'asked' ? unfitWords(ask, read, this.#place(session, ask)) : undefined;
    if (unfit) return words(unfit);
    const outcome = dispatcher.dispatch(session.key, {
      type: 'permission.decide',
      code: read.code,
      verdict: read.verdict,
      by: 'chat',
      ...(who !== undefined && { who }),
      ...(voice.proven && voice.sender !== undefined && { voter: speakerOf(session.key, voice) }),
      ...(read.rest !== '' && { reason: read.rest }),
      ...(read.verdict === 'allow' && { shown: digestOf(ask) }),
    });
    const now = dispatcher.session(session.key)?.asks.find(({ code }) => code === ask.code) ?? ask;
    if (outcome.ok)
      return now.state.name === 'asked' ? words(voteText(now)) : { kind: 'decided', ask, outcome };
    const unheard = unheardText(now, outcome.rejection);
    if (unheard !== undefined) return refusal(`${unheard} Nothing was changed.`);
    dispatcher.dispatch(session.key, { type: 'permission.tell', code: ask.code, what: 'outcome' });
    return { kind: 'late', ask, text: `${lateText(ask)} Nothing was changed.` };
  }

  /** One more part of a long question. Only who could be asked in this chat is shown one: what the chat has seen counts. */
  #show(session: Session, text: string, voice: Voice): VerdictIntake | undefined {
    const read = readShow(text);
    const ask = read && session.asks.find((each) => each.code === read.code);
    if (!ask) return undefined;
    const refused = this.#refused(session, ask, voice);
    if (refused && !mayLook.has(refused)) return refusal(`${refusedWords[refused]} Nothing was changed.`);
    if (ask.state.name !== 'asked') return words(lateText(ask));
    const { length } = chatParts(ask);
    const part = read.part ?? hiddenParts(ask)[0] ?? 1;
    if (part < 1 || part > length)
      return words(`\`${ask.code}\` has ${length === 1 ? 'one part' : `${length} parts`}, no part ${part}.`);
    const { dispatcher } = this.#options;
    if (part > 1) dispatcher.dispatch(session.key, { type: 'permission.show', code: ask.code, part });
    return words(partText(ask, part, this.#place(session, ask)));
  }

  #place(session: Session, ask: Ask): Pick<ChatPlace, 'road' | 'dialect'> {
    const turn = ask.turn === undefined ? undefined : findTurn(session, ask.turn);
    return { road: answerRoad(turn, this.#options.approversFor(session.key)), dialect: dialectOf(turn) };
  }

  /** Counted only while a question is open: otherwise "ok great" is just a message. */
  #wrongCode(session: Session, read: ReadVerdict, voice: Voice): VerdictIntake | undefined {
    const { dispatcher, guesses, codes } = this.#options;
    const known = codes.isKnown(read.code);
    const open = openAsks(session);
    if (read.rest !== '' || (open.length === 0 && !known)) return undefined;
    if (open.length === 0) return words(foreignWords(read.code));
    const name = speakerOf(session.key, voice);
    if (guesses.isMuted(name)) return refusal(mutedWords);
    guesses.record(name);
    // Who may not answer cannot guess either: otherwise anybody in a group could end a question with five tries.
    const [refused, ...others] = open.map((ask) => this.#refused(session, ask, voice));
    if (refused && others.every((each) => each !== undefined))
      return refusal(`${refusedWords[refused]} Nothing was changed.`);
    dispatcher.dispatch(session.key, { type: 'permission.guess' });
    const waiting = openAsks(dispatcher.session(session.key) ?? session).map((ask) => `\`${ask.code}\``);
    if (waiting.length === 0) return words('Too many wrong codes: the question was answered with no.');
    const wait = waiting.length > 1 ? 'wait' : 'waits';
    const what = known ? foreignWords(read.code) : `No open question has the code \`${read.code}\`.`;
    return words(`${what} Nothing was changed; ${waiting.join(', ')} ${wait}.`);
  }

  #refused(session: Session, ask: Ask, voice: Voice): Refused | undefined {
    const asker = session.turns.find((turn) => turn.id === ask.turn)?.sender?.id;
    return refusedVoice(asker, voice, this.#options.approversFor(session.key));
  }
}

/** Words after the code are a reason for a no, or the answer to a question of Claude's; after a yes they are a message. */
const takesRest = (ask: Ask, { verdict, rest }: ReadVerdict): boolean =>
  rest === '' || verdict === 'deny' || wantsAnswer(ask);

/** What to write instead of one word. */
function codeWords({ code, tool }: Ask, said: 'yes' | 'no' | number): string {
  const about = `\`${code}\` (${visible(tool)})`;
  const verdict = typeof said === 'number' ? `yes ${code} ${said}` : `${said} ${code}`;
  return `An answer needs the code of its question: to answer ${about}, reply \`${verdict}\`. Nothing was changed, and Claude was not told.`;
}

/** A yes that says too little, or allows what nobody has seen. */
function unfitWords(
  ask: Ask,
  { verdict, rest }: ReadVerdict,
  place: Pick<ChatPlace, 'road' | 'dialect'>,
): string | undefined {
  if (verdict === 'deny') return undefined;
  const { code } = ask;
  if (wantsAnswer(ask) && rest === '')
    return `That is a question, which needs more than a yes. Nothing was changed.\n\n${questionText(ask, { ...place, before: '' })}`;
  const unfit = wantsAnswer(ask) ? unfitFor(ask, rest, place.dialect) : undefined;
  if (unfit) return unfitText(unfit, code, place.dialect);
  if (pictureOf(ask).missing !== undefined)
    return `Only the beginning of this input is shown here, so a chat cannot allow it. The operator can, in Claude's terminal or with \`synthesis approve ${code}\`. Nothing was changed.`;
  const [next] = hiddenParts(ask);
  if (next === undefined) return undefined;
  return `Not all of this was shown here, and a yes would allow what nobody has read. \`show ${code} ${next}\` shows the next part of ${chatParts(ask).length}; the operator sees all of it with \`synthesis approve ${code}\`. Nothing was changed.`;
}

/** May not answer, but reads in this chat what is asked there. */
const mayLook: ReadonlySet<Refused> = new Set([
  'bare',
  'not_listed',
  'not_the_asker',
  'group_without_approvers',
]);

const words = (text: string): VerdictIntake => ({ kind: 'words', text, refused: false });
const refusal = (text: string): VerdictIntake => ({ kind: 'words', text, refused: true });

const foreignWords = (code: string) =>
  `\`${code}\` is not open any more, or belongs to another conversation.`;

const mutedWords =
  'Too many wrong codes came from you; answers are ignored for a minute. Nothing was changed.';

const refusedWords: Record<Refused, string> = {
  no_sender:
    'This question was asked in a chat and has to be answered there, by `synthesis approve`, or in the terminal.',
  unproven:
    'Nothing proves who wrote this, so it cannot answer here. The operator can, with `synthesis approve`.',
  not_listed: 'You are not among the approvers of this conversation.',
  not_the_asker: 'Only the person whose message Claude is working on can answer this.',
  group_without_approvers:
    'Nobody may answer in a group until the operator names approvers in the configuration; `synthesis approve` works.',
  forwarded: 'A forwarded message does not answer a question: write it yourself.',
  spoken: 'A voice message does not answer a question, as speech recognition may mishear: write it.',
  bare: 'This came while the message before it was still worked on, so nothing shows whether it was forwarded: write it once more.',
  bot: 'A bot cannot answer a question.',
};
