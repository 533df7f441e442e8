// What a prompt or a cancel changes in its conversation, and which answer is owed for it.
import type { Log } from '../../../base/log.ts';
import { speakerOf } from '../../../domain/question/approvers.ts';
import { refusedText } from '../../../domain/state/panic.ts';
import { emptySession, findTurn, type Reply, type Session } from '../../../domain/state/session.ts';
import { movingText } from '../../../domain/words/moving-text.ts';
import type { LaunchOptions } from '../../../protocol/events/events.ts';
import type {
  CancelMessage,
  PromptMessage,
  StopReason,
  UnreadablePrompt,
} from '../../../protocol/wire/agp.ts';
import type { QueueDesk } from '../../app/desks/queue-desk.ts';
import type { VerdictDesk } from '../../app/desks/verdict-desk.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { MessageGate } from '../../app/message-gate.ts';
import type { Lapses } from './lapses.ts';
import { type Asked, findReply, keyOf, readPrompt, replyMeta, voiceOf } from './parse.ts';
import { theChat } from './speaker.ts';
import type { Speakers } from './speakers.ts';

export interface IntakeOptions {
  /** Of the gateway, without its token. */
  url: string;
  dispatcher: Dispatcher;
  verdicts: VerdictDesk;
  gate: MessageGate;
  queue: QueueDesk;
  speakers: Speakers;
  lapses: Lapses;
  log: Log;
  newTurnId(): string;
  newClaudeId(): string;
  launchFor(key: string): LaunchOptions;
}

export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  prompt(message: PromptMessage): void {
    const { url, dispatcher, lapses, gate } = this.#options;
    const asked = readPrompt(url, message);
    const key = keyOf(url, asked.sessionId);
    const session = dispatcher.session(key);
    if (this.#isRepeat(key, session, asked)) return;
    if (lapses.claim(asked)) return this.#answer(key, asked, '', 'cancelled');
    if (asked.text.trim() === '')
      return this.#answer(key, asked, 'There was no text in this message.', 'error');
    // A code of another conversation must not become the first message of this one.
    if (this.#verdict(key, session ?? emptySession(key), asked)) return;
    const refused = gate.refuses(speakerOf(key, voiceOf(asked)), asked.text);
    if (refused !== undefined) return this.#answer(key, asked, refused, 'refusal');
    this.#submit(key, asked);
  }

  unreadable(message: UnreadablePrompt): void {
    const { url, dispatcher } = this.#options;
    const asked = readPrompt(url, message);
    const key = keyOf(url, asked.sessionId);
    if (this.#isRepeat(key, dispatcher.session(key), asked)) return;
    this.#answer(key, asked, 'This message could not be read. Nothing was passed on.', 'error');
  }

  cancel({ payload, ...envelope }: CancelMessage): void {
    const { url, dispatcher, speakers, lapses } = this.#options;
    const key = keyOf(url, payload.session_id);
    const isMeant = ({ meta }: Reply) => meta.prompt_id === payload.prompt_id;
    const open = speakers.ofSession(key);
    const speaker = open.findLast((each) => isMeant(each.reply));
    if (speaker) return speaker.cancel();
    const known = dispatcher.session(key)?.replies.findLast(isMeant);
    if (!known) {
      const asked = readPrompt(url, { ...envelope, method: 'session.prompt', payload });
      return lapses.expect(asked, () => this.#answer(key, asked, '', 'cancelled'));
    }
    // It ended with a question; what it asked for may still be at work.
    const { turn } = known;
    if (turn === undefined || open.some((each) => each.reply.turn === turn)) return;
    dispatcher.dispatch(key, { type: 'turn.cancel', turn, by: theChat });
  }

  /** A prompt that came before is not asked twice. Its response is, if the gateway may have forgotten it since. */
  #isRepeat(key: string, session: Session | undefined, asked: Asked): boolean {
    const { speakers, lapses, log } = this.#options;
    const known = findReply(session, asked);
    if (!known) return lapses.isOver(asked);
    log.debug('a prompt came again', { prompt: asked.promptId });
    if (!speakers.isOpen(known.id) && !speakers.hasArrived(known.id)) speakers.speak(key, known, 'repeat');
    return true;
  }

  /** `yes <code>`: the turn that asked goes on, and this prompt gets the rest of its answer. */
  #verdict(key: string, session: Session, asked: Asked): boolean {
    const taken = this.#options.verdicts.take(session, asked.text, voiceOf(asked), asked.userId);
    if (!taken) return false;
    if (taken.kind === 'words') {
      this.#answer(key, asked, taken.text, taken.refused ? 'refusal' : 'end_turn');
      return true;
    }
    const words = taken.kind === 'late' ? taken.text : '';
    const turn = taken.ask.turn === undefined ? undefined : findTurn(session, taken.ask.turn);
    if (turn?.ingress === 'agp' && !turn.answered) this.#goOn(key, asked, turn.id, words);
    else this.#answer(key, asked, words || 'Your answer was passed on.', 'end_turn');
    return true;
  }

  /** This prompt gets what is unread of a turn that an earlier one started. */
  #goOn(key: string, asked: Asked, turn: string, words: string): void {
    const { url, dispatcher, speakers } = this.#options;
    const owed = { turn, meta: replyMeta(url, asked), ...(words !== '' && { words }) };
    dispatcher.dispatch(key, { type: 'reply.owe', reply: asked.id, ...owed });
    speakers.speak(key, { id: asked.id, ...owed, sent: false }, 'stream');
  }

  #submit(key: string, asked: Asked): void {
    const { url, dispatcher, speakers, queue, newTurnId, newClaudeId, launchFor } = this.#options;
    const { text, ...placing } = queue.read(key, asked.text, voiceOf(asked));
    const turn = newTurnId();
    const reply = { id: asked.id, meta: replyMeta(url, asked) };
    // Whatever another client lent to this conversation: nobody here could run it.
    dispatcher.dispatch(key, { type: 'catalog.set', tools: [] });
    const outcome = dispatcher.dispatch(key, {
      type: 'turn.submit',
      turn,
      claude: newClaudeId(),
      launch: launchFor(key),
      ingress: 'agp',
      text,
      mode: placing.mode,
      meta: {
        source_channel: 'agp',
        source_chat: asked.sessionId,
        ...(asked.userId === undefined && { unproven: 'token' }),
      },
      reply,
      ...(asked.userId !== undefined && { sender: { id: asked.userId } }),
    });
    const words = queue.wordsFor(key, turn, placing);
    if (outcome.ok)
      return speakers.speak(key, { ...reply, turn, sent: false, ...(words && { words }) }, 'stream');
    if (outcome.rejection.code === 'panic')
      return this.#answer(key, asked, refusedText(outcome.rejection.since), 'error');
    if (outcome.rejection.code === 'moving')
      return this.#answer(key, asked, movingText(outcome.rejection), 'error');
    this.#answer(
      key,
      asked,
      'The message could not be stored: is the disk full? Send it again later.',
      'error',
    );
  }

  /** An answer without Claude. It is owed like any other, once there is a session that can owe it. */
  #answer(key: string, asked: Asked, words: string, stop: StopReason): void {
    const { url, dispatcher, speakers, lapses } = this.#options;
    const meta = { ...replyMeta(url, asked), stop };
    if (dispatcher.session(key)?.ingress) {
      dispatcher.dispatch(key, { type: 'reply.owe', reply: asked.id, words, meta });
    } else lapses.over(asked);
    speakers.speak(key, { id: asked.id, words, meta, sent: false }, 'stream');
  }
}
