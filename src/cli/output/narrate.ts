import type { JournalRow } from '../../protocol/events.ts';
import { plain } from './table.ts';

const clock = (at: number) => new Date(at).toTimeString().slice(0, 8);
const head = (text: string, length = 60) => {
  const line = plain(text).trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
};

/** One line for a person who watches `synthesis up`; undefined for what is not worth one. */
export function narrate(row: JournalRow): string | undefined {
  const words = wordsOf(row);
  return words && `${clock(row.at)}  ${plain(row.session)}  ${words}`;
}

function wordsOf({ event }: JournalRow): string | undefined {
  switch (event.type) {
    case 'turn.queued':
      return `message: ${head(event.text)}`;
    case 'turn.adopted':
      return `typed in the terminal: ${head(event.text)}`;
    case 'turn.settled':
      return event.code ? `${event.outcome} (${event.code})` : event.outcome;
    case 'agent.starting':
      return 'Claude Code starts';
    case 'agent.ready': {
      const reasons = event.health.map((each) => (each.info ? '' : ` — ${each.words}`)).join('');
      return `Claude Code is ready (pid ${event.pid}, ${event.delivery})${reasons}`;
    }
    case 'agent.dialog':
      return `Claude Code waits for you (${event.dialog}). Its screen:\n${indent(event.screen)}`;
    case 'agent.exited':
      return `Claude Code ended: ${head(event.detail, 200)}`;
    case 'permission.asked':
      return `asks for ${event.tool}: synthesis approve ${event.code} | synthesis deny ${event.code}`;
    case 'permission.decided':
      return `${event.code} ${event.verdict === 'allow' ? 'allowed' : 'denied'} by ${event.by}`;
    case 'tool.called':
      return `calls ${head(event.tool)}`;
    default:
      return undefined;
  }
}

/** The screen of a dialog, shown whole so that the operator can judge it. */
const indent = (screen: string): string =>
  screen
    .split('\n')
    .map((line) => plain(line).trimEnd())
    .filter((line) => line !== '')
    .map((line) => `    ${line}`)
    .join('\n');
