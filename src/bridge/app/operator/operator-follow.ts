// What somebody who waits for the answer to a message is told besides the answer.
import { wantsAnswer } from '../../../domain/question/answer-words.ts';
import { outcomeText } from '../../../domain/question/outcome.ts';
import { wholeText } from '../../../domain/question/whole-text.ts';
import { type Ask, findTurn, type Session } from '../../../domain/state/session.ts';
import { type TurnWait, turnWait } from '../../../domain/views/session/turn-wait.ts';
import type { Dispatcher } from '../dispatcher.ts';

export interface Follower {
  /** More of the answer. */
  text(text: string): void | Promise<void>;
  /** What the message waits for now. The first time it also says that the message is on disk. */
  waits(wait: TurnWait): void;
  /** Claude asks for permission, and waits. */
  question(code: string, text: string): void;
  /** That question is answered, or waits no more. */
  decided(code: string, words: string): void;
}

/** Tells what a turn waits for at each change, and its questions, each once. @returns the function that ends it */
export function watchTurn(dispatcher: Dispatcher, key: string, turn: string, follower: Follower): () => void {
  const open = new Map<string, boolean>();
  let waits: string | undefined;
  const look = (session: Session) => {
    const found = findTurn(session, turn);
    const wait = found && turnWait(session, found);
    if (wait && wait.words !== waits) follower.waits(wait);
    waits = wait?.words;
    for (const ask of session.asks) {
      if (ask.turn !== turn) continue;
      const { code, state } = ask;
      const asked = state.name === 'asked';
      if (asked && !open.has(code)) follower.question(code, `${wholeText(ask)}\n${waitWords(ask)}`);
      if (!asked && open.get(code)) follower.decided(code, outcomeText(ask));
      if (asked || open.has(code)) open.set(code, asked);
    }
  };
  const session = dispatcher.session(key);
  if (session) look(session);
  return dispatcher.watch(key, look);
}

const waitWords = ({ code, tool }: Ask): string =>
  wantsAnswer({ tool })
    ? `It waits for you: \`synthesis approve ${code} --answer 1\`, or \`synthesis deny ${code}\` to decline.`
    : `It waits for you: \`synthesis approve ${code}\` or \`synthesis deny ${code}\`.`;
