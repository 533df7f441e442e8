// A person's message as the answer to a question that is open in its conversation.
import { findRepeat } from '../../../domain/decide/decide-turn.ts';
import { outcomeText } from '../../../domain/question/outcome.ts';
import { readBare, readVerdict } from '../../../domain/question/verdict.ts';
import { isForChat } from '../../../domain/state/errands.ts';
import { emptySession, openAsks, type Session } from '../../../domain/state/session.ts';
import type { VerdictDesk } from '../../app/desks/verdict-desk.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { Case } from './case.ts';
import { holds } from './identity/repeats.ts';
import { withoutClientPrefix } from './input/client-prefix.ts';
import type { NewText } from './input/newest-input.ts';
import { spokenWords } from './input/spoken.ts';
import { type Reply, readingOf } from './reply.ts';
import { dedupOf } from './submission.ts';

export interface Judges {
  dispatcher: Pick<Dispatcher, 'session'>;
  verdicts: VerdictDesk;
}

/** An answer to an open question lets the turn go on; its rest is read by this request. */
export function verdictOf(judges: Judges, about: Case, newest: NewText): Reply | undefined {
  // Merged and queued texts were sent before the question could be read.
  if (newest.merged || newest.wrapper !== 'message') return undefined;
  if (isTaken(judges, about, newest)) return undefined;
  return judged(judges, about, newest);
}

/** A message of one word that came before its turn asked anything, in a request that is sent again. */
function isTaken({ dispatcher }: Judges, about: Case, newest: NewText): boolean {
  const session = dispatcher.session(about.identity.key);
  const isWord = readBare(withoutClientPrefix(newest.text)) !== undefined;
  return isWord && session !== undefined && findRepeat(session, dedupOf(about, newest)) !== undefined;
}

/**
 * The runner repeats an answer when its first attempt failed, which may have been before it got here: then the question
 * is still open. Elsewhere such a text was an answer to nothing, or is not the runner's.
 */
export function repeatedVerdictOf(judges: Judges, about: Case): Reply | undefined {
  const newest = about.input.texts.at(-1);
  const session = judges.dispatcher.session(about.identity.key);
  if (!session || !newest || newest.merged || newest.typed) return undefined;
  const text = withoutClientPrefix(newest.text);
  const code = readVerdict(text)?.code;
  const isAnswer = openAsks(session).some((ask) => ask.code === code);
  // One word may just as well be the message that was taken before.
  const isWord = readBare(text) !== undefined && !session.turns.some((turn) => holds(turn, newest.text));
  return isAnswer || isWord ? judged(judges, about, newest) : undefined;
}

function judged({ dispatcher, verdicts }: Judges, about: Case, newest: NewText): Reply | undefined {
  const { key } = about.identity;
  // A code of another conversation must not become the first message of this one.
  const session: Session = dispatcher.session(key) ?? emptySession(key);
  const who = newest.sender?.name ?? newest.sender?.id;
  // Refused in words, so that nobody waits for what a voice message cannot do.
  const text = about.voice.spoken ? spokenWords(newest.text) : withoutClientPrefix(newest.text);
  const taken = verdicts.take(session, text, about.voice, who);
  if (!taken) return undefined;
  if (taken.kind === 'words') return taken;
  const unread = session.turns.findLast((turn) => isForChat(turn) && !turn.answered);
  if (taken.kind === 'late') {
    const { text } = taken;
    return unread ? { ...readingOf(about, unread.id, 0), note: text } : { kind: 'words', text };
  }
  const { outcome } = taken;
  if (unread) return readingOf(about, unread.id, outcome.ok ? outcome.seq : 0);
  const ask = dispatcher.session(key)?.asks.find(({ code }) => code === taken.ask.code);
  return { kind: 'words', text: outcomeText(ask ?? taken.ask) };
}
