// What a chat message does that comes while Claude works: as its session is configured, or as its first word says.

import { readQueuePrefix } from '../../../domain/message/queue-prefix.ts';
import { waitWords } from '../../../domain/message/steer.ts';
import { refusedVoice, type Voice } from '../../../domain/question/approvers.ts';
import { dialectOf, waitsBehindText } from '../../../domain/question/question-text.ts';
import { type Ask, currentTurn, findTurn, openAsks, type Session } from '../../../domain/state/session.ts';
import type { QueueMode } from '../../../protocol/settings/queue-mode.ts';
import type { Dispatcher } from '../dispatcher.ts';

export interface QueueDeskOptions {
  dispatcher: Dispatcher;
  queueModeFor(key: string): QueueMode;
  approversFor(key: string): readonly string[];
}

/** How a message goes in line. */
export interface Placing {
  mode: QueueMode;
  /** What of it is for Claude. */
  text: string;
  /** It asked for more than its writer may have. */
  refused?: true;
}

export class QueueDesk {
  readonly #options: QueueDeskOptions;

  constructor(options: QueueDeskOptions) {
    this.#options = options;
  }

  /**
   * Only who may answer what the running turn asks may steer or stop it.
   *
   * @param text one message, as its sender wrote it just now; '' where it may not be
   */
  read(key: string, text: string, voice: Voice): Placing {
    const { dispatcher, queueModeFor, approversFor } = this.#options;
    const session = dispatcher.session(key);
    const turn = session && currentTurn(session);
    const asker = turn && !turn.adopted ? turn.sender?.id : voice.sender;
    const refused = refusedVoice(asker, voice, approversFor(key));
    const read = readQueuePrefix(text);
    if (read && refused === undefined) return read;
    const mode = refused === undefined ? queueModeFor(key) : 'queue';
    return { mode, text, ...(read && { refused: true }) };
  }

  /** What the sender is told of a message that has to wait although it was not to. */
  wordsFor(key: string, id: string, { mode, refused }: Omit<Placing, 'text'>): string | undefined {
    const session = this.#options.dispatcher.session(key);
    const turn = session && findTurn(session, id);
    if (!session || turn?.phase.name !== 'queued') return undefined;
    if (refused) return refusedWords;
    const behind = unheardQuestions(session);
    if (behind.length > 0) {
      const dialect = dialectOf(turn);
      return `_(${waitsBehindText(behind, { dialect, before: '' })})_`;
    }
    return mode === 'queue' ? undefined : waitWords(session, turn);
  }
}

/**
 * What the running turn asks by a card alone, so that nothing of it would end the response to a message behind it: that is
 * told at once what it waits for.
 */
function unheardQuestions(session: Session): Ask[] {
  const current = currentTurn(session);
  if (!current || current.cancelledBy !== undefined) return [];
  return openAsks(session).filter(({ turn, told }) => turn === current.id && told === 'nothing');
}

const refusedWords =
  "_(only who may answer Claude's questions here can steer or stop it: your message waits)_";
