// A message that may be an answer to a permission question. Only the text of one inbound message is ever looked at.
import { type Refused, refusedVoice, type Voice } from '../../domain/approvers.ts';
import { outcomeText } from '../../domain/outcome.ts';
import { type Ask, openAsks, type Session } from '../../domain/session.ts';
import { type ReadVerdict, readVerdict } from '../../domain/verdict.ts';
import type { Dispatcher, Outcome } from './dispatcher.ts';
import type { Guesses } from './guesses.ts';

export interface VerdictOptions {
  dispatcher: Dispatcher;
  guesses: Guesses;
  /** Sender ids that may answer in this session; empty = the asker, in direct chats only. */
  approversFor(key: string): readonly string[];
}

/** What became of it. Undefined where it is an ordinary message. */
export type VerdictIntake = { kind: 'words'; text: string } | { kind: 'decided'; outcome: Outcome };

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
    if (!read) return undefined;
    const ask = session.asks.find((each) => each.code === read.code);
    if (!ask) return this.#wrongCode(session, read, voice);
    if (!takesRest(ask, read)) return undefined;
    return this.#answer(session, ask, read, voice, who);
  }

  #answer(
    session: Session,
    ask: Ask,
    read: ReadVerdict,
    voice: Voice,
    who: string | undefined,
  ): VerdictIntake {
    const { dispatcher, guesses, approversFor } = this.#options;
    if (guesses.isMuted(speaker(session, voice))) return words(mutedWords);
    const asker = session.turns.find((turn) => turn.id === ask.turn)?.sender?.id;
    const refused = refusedVoice(asker, voice, approversFor(session.key));
    if (refused) return words(`${refusedWords[refused]} Nothing was changed.`);
    const outcome = dispatcher.dispatch(session.key, {
      type: 'permission.decide',
      code: read.code,
      verdict: read.verdict,
      by: 'chat',
      ...(who !== undefined && { who }),
      ...(read.rest !== '' && { reason: read.rest }),
    });
    if (outcome.ok) return { kind: 'decided', outcome };
    return words(`${outcomeText(ask)} Nothing was changed.`);
  }

  /** Counted only while a question is open: otherwise "ok great" is just a message. */
  #wrongCode(session: Session, read: ReadVerdict, voice: Voice): VerdictIntake | undefined {
    const { dispatcher, guesses } = this.#options;
    const open = openAsks(session);
    if (open.length === 0 || read.rest !== '') return undefined;
    guesses.record(speaker(session, voice));
    dispatcher.dispatch(session.key, { type: 'permission.guess' });
    const codes = openAsks(dispatcher.session(session.key) ?? session).map((ask) => `\`${ask.code}\``);
    if (codes.length === 0) return words('Too many wrong codes: the question was answered with no.');
    return words(
      `No open question has the code \`${read.code}\`; ${codes.join(', ')} ${codes.length > 1 ? 'wait' : 'waits'}. Nothing was changed.`,
    );
  }
}

/** Words after the code are a reason for a no, or the answer to a question of Claude's; after a yes they are a message. */
const takesRest = (ask: Ask, { verdict, rest }: ReadVerdict): boolean =>
  rest === '' || verdict === 'deny' || ask.tool === 'AskUserQuestion';

const speaker = (session: Session, { channel, sender }: Voice): string =>
  sender === undefined ? `session ${session.key}` : `${channel ?? ''}:${sender}`;

const words = (text: string): VerdictIntake => ({ kind: 'words', text });

const mutedWords =
  'Too many wrong codes came from you; answers are ignored for a minute. Nothing was changed.';

const refusedWords: Record<Refused, string> = {
  no_sender:
    'This question was asked in a chat and has to be answered there, by `synthesis approve`, or in the terminal.',
  not_listed: 'You are not among the approvers of this conversation.',
  not_the_asker: 'Only the person whose message Claude is working on can answer this.',
  group_without_approvers:
    'Nobody may answer in a group until the operator names approvers in the configuration; `synthesis approve` works.',
};
