// What a chat reads when its message cannot be handed over yet: why, that it is kept, and what whoever can do so has to do.
import type { FailureCode } from '../../protocol/events/failures.ts';
import { commandRef } from '../command-ref.ts';
import type { Session } from '../state/session.ts';
import type { Hold, Turn } from '../state/turn.ts';
import { quote, remedyText } from './problem-text.ts';
import { placesOf, quoted } from './turn-words.ts';

interface Reason {
  happened: string;
  /** What clears it; absent where `detail` says so. */
  next?: string;
}

type Claude = Session['claude'];

/** The sentences for a chat, in markdown, without trailing newline. @param session its key */
export function heldText(turn: Turn, hold: Hold, session: string, claude: Claude): string {
  const { happened, next } = reasonOf(hold, session, claude);
  const said = quote(hold.detail);
  const why = [happened, said].filter(Boolean).join(' ');
  const wait = `Your message ${quoted(turn)} waits, and goes to Claude by itself once that is over: there is no need to send it again.`;
  return `⏳ ${why}\n\n${[wait, next].filter(Boolean).join(' ')}`;
}

/** The same for the operator, one line. */
export function heldLine(hold: Hold, session: string, claude: Claude): string {
  const { happened, next } = reasonOf(hold, session, claude);
  // The rows of a screen say nothing in one line.
  const line =
    hold.code === 'untold_question' || hold.code === 'prompt_hidden' ? '' : hold.detail.split('\n', 1)[0];
  return ['A message waits.', happened, line, next].filter(Boolean).join(' ');
}

function reasonOf({ code }: Hold, session: string, claude: Claude): Reason {
  const next = () => remedyText(code, { session, ...placesOf(claude) });
  switch (code) {
    case 'start_dialog':
      return {
        happened: 'Claude Code shows a question at its start that the bridge does not answer on its own.',
        next: next(),
      };
    case 'prompt_unknown':
      return {
        happened: 'This release of Claude Code draws its prompt in a way that the bridge does not know.',
        next: next(),
      };
    case 'untold_question':
      return {
        happened: 'Claude Code shows a dialog.',
        next: `Answer it in the chat if it is asked there, or in its terminal: \`synthesis attach ${commandRef(session)} --terminal --drive\`.`,
      };
    case 'prompt_hidden':
      return {
        happened: "Something else stands in the place of Claude Code's prompt.",
        next: `Whoever opened it closes it in its terminal: \`synthesis attach ${commandRef(session)} --terminal --drive\`.`,
      };
    case 'hooks_off':
      return {
        happened: "Claude Code's hooks do not reach the bridge, which would hear nothing of its answer.",
        next: `${next()} \`synthesis doctor\` names the setting and its file.`,
      };
    default:
      return { happened: fallback(code) };
  }
}

/** Where the details say what is to be done. */
const fallback = (code: FailureCode): string =>
  code === 'delivery_failed'
    ? 'Claude Code cannot be given a message.'
    : `Claude Code cannot be given a message (${code}).`;
