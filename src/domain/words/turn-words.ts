import { never } from '../../base/never.ts';
import { newerMessage } from '../message/steer.ts';
import type { Session } from '../state/session.ts';
import type { Turn } from '../state/turn.ts';
import { problemText } from './problem-text.ts';

/** What is said at the end of a turn besides Claude's own text; '' when its answer speaks for itself. */
export function endingWords(turn: Turn, session: string, claude: Session['claude']): string {
  if (turn.phase.name !== 'settled') return '';
  if (turn.origin) return cutShort(turn.phase);
  const { outcome, code, detail, into } = turn.phase;
  // What the screen showed when Claude Code ended is for the operator.
  const said = code === 'exited' ? detail?.split('\n', 1)[0] : detail;
  const about = {
    session,
    ...(said !== undefined && { detail: said }),
    ...placesOf(claude),
  };
  switch (outcome) {
    case 'completed':
      if (into !== undefined) return joinedWords(turn);
      return code ? problemText(code, about) : '';
    case 'failed':
    case 'expired':
      return problemText(code ?? 'delivery_failed', about);
    case 'cancelled':
      if (turn.panic !== undefined) return problemText('panic', { session, panic: turn.panic });
      if (code === 'removed' || code === 'moved') return problemText(code);
      if (turn.cancelledBy === newerMessage) return roomWords;
      return problemText('interrupted', detail === undefined ? { session } : { session, detail });
    default:
      return never(outcome);
  }
}

/** Where its Claude Code works, and where the configuration would have it by now. */
export function placesOf(claude: Session['claude']): { folder?: string; elsewhere?: string } {
  if (!claude) return {};
  const { launch, waiting = launch } = claude;
  return { folder: launch.cwd, ...(waiting.cwd !== launch.cwd && { elsewhere: waiting.cwd }) };
}

/** The bridge stops, and this turn goes on with its next start. */
export const keptWords = (turn: Turn): string =>
  turn.phase.name === 'running' ? goesOnWords(turn) : waitsWords(turn);

const goesOnWords = (turn: Turn): string =>
  `⚠️ The bridge is being restarted while Claude works on your message ${quoted(turn)}.\n\nClaude goes on, and you get the rest when the bridge runs again, at the latest with your next message. There is no need to send it again.`;

const waitsWords = (turn: Turn): string =>
  `⚠️ The bridge is being shut down before Claude got to your message ${quoted(turn)}.\n\nYour message is kept: Claude answers it when the bridge runs again, and you get the answer then, at the latest with your next message. There is no need to send it again.`;

const joinedWords = (turn: Turn): string =>
  `_(Claude got your message ${quoted(turn)} while it was at work: it is part of the answer that it was writing)_`;

const roomWords = '_(stopped for a newer message; Claude keeps what it did until then)_';

/** Nobody asked, so nobody has to hear that there was nothing to say, or send it again. */
function cutShort({ outcome, code, detail = '' }: Extract<Turn['phase'], { name: 'settled' }>): string {
  if (outcome === 'completed' || outcome === 'cancelled') return '';
  if (code === 'tasks_lost') return problemText(code, { detail });
  return `⚠️ Claude went on by itself and did not get to the end (\`${code ?? outcome}\`). The conversation is intact: ask Claude how it stands.`;
}

/** Two parts of one response are separate paragraphs. @param before what was said before, its last two characters do */
export const paragraph = (before: string, text: string): string => `${gap(before, text)}${text}`;

/** What stands between them. */
export function gap(before: string, text: string): string {
  if (text === '' || before === '' || before.endsWith('\n\n')) return '';
  return before.endsWith('\n') ? '\n' : '\n\n';
}

/** Says which earlier message a late answer belongs to, or why Claude speaks although nobody asked. */
export function lateAnswerHead(turn: Turn): string {
  switch (turn.origin) {
    case undefined:
      return `_(answer to your earlier message ${quoted(turn)})_\n\n`;
    case 'task':
      return '_(about a background task)_\n\n';
    case 'wakeup':
      return '_(Claude woke up by itself, as it had planned)_\n\n';
    case 'continued':
      return '_(Claude went on: a Stop hook or a teammate asked it to)_\n\n';
    default:
      return never(turn.origin);
  }
}

/** Said once, with the next answer: the connection that was closed could not be told. */
export const stoppedWords = (turn: Turn): string =>
  `_(your earlier message ${quoted(turn)} was stopped; Claude keeps what it did until then)_`;

/** Its first words, in quotation marks. */
export function quoted(turn: Turn): string {
  const line = turn.text.replace(/\s+/g, ' ').trim();
  const head = line.length > 60 ? `${line.slice(0, 60).toWellFormed()}…` : line;
  return `"${head}"`;
}
