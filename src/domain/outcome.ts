import { never } from '../base/invariant.ts';
import type { Door } from '../protocol/events.ts';
import { visible } from './safe-text.ts';
import type { Ask } from './session.ts';

/** How a question was answered, for those who were asked and did not answer. Never "allowed" without proof of it. */
export function outcomeText({ code, tool, state }: Ask): string {
  const about = `\`${code}\` (${visible(tool)})`;
  switch (state.name) {
    case 'asked':
      return `${about} is still open.`;
    case 'decided':
    case 'sent':
      return `${about} was ${verdictWord(state.verdict)} ${doorWords(state.by)}.`;
    case 'settled':
      if (state.verdict && state.by)
        return `${about} was ${verdictWord(state.verdict)} ${doorWords(state.by)}.`;
      return `${about} was answered elsewhere: ${closedWords(state.outcome)}.`;
    default:
      return never(state);
  }
}

const verdictWord = (verdict: 'allow' | 'deny') => (verdict === 'allow' ? 'allowed' : 'denied');

export function doorWords(door: Door): string {
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
    case 'bridge':
      return 'by the bridge itself';
    default:
      return never(door);
  }
}

const closedWords = (outcome: 'applied' | 'expired' | 'superseded') =>
  outcome === 'expired' ? 'it is not open any more' : "in Claude's own terminal, or its turn ended";
