// A person's message as the answer to a question that is open in its conversation.
import { outcomeText } from '../../../domain/question/outcome.ts';
import { readVerdict } from '../../../domain/question/verdict.ts';
import { isForChat } from '../../../domain/state/errands.ts';
import { emptySession, openAsks, type Session } from '../../../domain/state/session.ts';
import type { VerdictDesk } from '../../app/desks/verdict-desk.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { Case } from './case.ts';
import type { NewText } from './input/newest-input.ts';
import { spokenWords } from './input/spoken.ts';
import { type Reply, readingOf } from './reply.ts';

export interface Judges {
  dispatcher: Pick<Dispatcher, 'session'>;
  verdicts: VerdictDesk;
}

/** An answer to an open question lets the turn go on; its rest is read by this request. */
export function verdictOf(judges: Judges, about: Case, newest: NewText): Reply | undefined {
  // Merged and queued texts were sent before the question could be read.
  if (newest.merged || newest.wrapper !== 'message') return undefined;
  return judged(judges, about, newest);
}

/**
 * The runner repeats an answer when its first attempt failed, which may have been before it got here: then the question
 * is still open. Elsewhere such a text was an answer to nothing, or is not the runner's.
 */
export function repeatedVerdictOf(judges: Judges, about: Case): Reply | undefined {
  const newest = about.input.texts.at(-1);
  const session = judges.dispatcher.session(about.identity.key);
  if (!session || !newest || newest.merged || newest.typed) return undefined;
  const code = readVerdict(newest.text)?.code;
  return openAsks(session).some((ask) => ask.code === code) ? judged(judges, about, newest) : undefined;
}

function judged({ dispatcher, verdicts }: Judges, about: Case, newest: NewText): Reply | undefined {
  const { key } = about.identity;
  // A code of another conversation must not become the first message of this one.
  const session: Session = dispatcher.session(key) ?? emptySession(key);
  const who = newest.sender?.name ?? newest.sender?.id;
  // Refused in words, so that nobody waits for what a voice message cannot do.
  const text = about.voice.spoken ? spokenWords(newest.text) : newest.text;
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
