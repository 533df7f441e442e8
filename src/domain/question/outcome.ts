import { never } from '../../base/never.ts';
import type { Door, Verdict } from '../../protocol/events/permission-events.ts';
import { visible } from '../safe-text.ts';
import type { Ask } from '../state/session.ts';
import { isDialog } from './dialog-question.ts';
import { dialogAnswer } from './dialog-words.ts';

/** Seen of a question that somebody answered with yes at Claude's own terminal. */
export const ranInTerminal = "allowed in Claude's terminal, the tool ran";

/** How a question was answered, for those who were asked and did not answer. Never "allowed" without proof of it. */
export function outcomeText(ask: Ask): string {
  const { code, tool, state } = ask;
  const about = `\`${code}\` (${visible(tool)})`;
  switch (state.name) {
    case 'asked':
      return `${about} is still open.`;
    case 'decided':
    case 'sent':
      return `${about} was ${answerWords(ask, state)}.`;
    case 'settled': {
      const seen = state.detail ?? 'it is not open any more';
      if (!state.verdict || !state.by) return `${about} was closed: ${seen}.`;
      const answer = answerWords(ask, { ...state, verdict: state.verdict, by: state.by });
      return state.outcome === 'applied'
        ? `${about} was ${answer}.`
        : `${about} was ${answer}, which was not seen to take effect (${seen}).`;
    }
    default:
      return never(state);
  }
}

/** For whoever answers a question that is not open any more. */
export const lateText = (ask: Ask): string =>
  `${wasAnswered(ask) ? 'Already answered' : 'This question is over'}: ${outcomeText(ask)}`;

/** Of what was seen of a question that somebody answered at Claude's own terminal, allowed or declined. */
const atTerminal = "in Claude's terminal";

/** By somebody: time, the bridge and the end of a turn close questions that nobody answered. */
function wasAnswered({ state }: Ask): boolean {
  if (state.name === 'asked') return false;
  if (state.name === 'settled' && state.detail?.includes(atTerminal)) return true;
  return state.by !== undefined && state.by !== 'bridge' && state.by !== 'expiry';
}

interface Answer {
  verdict: Verdict;
  by: Door;
  who?: string;
  reason?: string;
}

function answerWords(ask: Ask, { verdict, by, who, reason }: Answer): string {
  const simply = verdict === 'allow' ? 'allowed' : 'denied';
  const done = isDialog(ask) ? dialogAnswer(verdict, reason) : simply;
  // Only the bridge's own reason is shown: a person's was for Claude.
  if (by === 'bridge') return `${done} by the bridge${reason === undefined ? '' : `: ${reason}`}`;
  if (who === undefined) return `${done} ${doorWords(by)}`;
  // Of whoever sits at this machine it is known where they sit.
  return by === 'cli' || by === 'tui'
    ? `${done} ${doorWords(by)} (${visible(who)})`
    : `${done} ${doorWords(by)} by ${visible(who)}`;
}

function doorWords(door: Exclude<Door, 'bridge'>): string {
  switch (door) {
    case 'chat':
      return 'in the chat';
    case 'cli':
      return 'by the operator';
    case 'tui':
      return 'by the operator';
    case 'terminal':
      return "in Claude's terminal";
    case 'gateway':
      return "with the hub's buttons";
    case 'expiry':
      return 'because nobody answered in time';
    default:
      return never(door);
  }
}
