// An afternoon with many conversations: most are idle, some work, one failed, one asks for something. For tests, and for
// the pictures of the guide.
import { noon, Seat } from './seat.ts';

const apps = ['telegram', 'discord', 'whatsapp', 'slack', 'signal'];
const messages = [
  'Is everything ready for the release?',
  'Why is the search so slow since last week?',
  'What do I need for dinner?',
  'Where are my notes of this month?',
  'Which of the three drafts reads best?',
];

/** The key of the session that asks. */
export const asking = 'agent:main:telegram:group:-1001234567890';

export const keyOf = (at: number): string => {
  const app = apps[at % apps.length] ?? '';
  return `agent:main:${app}:${at % 3 === 0 ? 'group' : 'direct'}:${4_000_000 + at * 7919}`;
};

/** Between two messages, ms. */
const pause = 37_000;

/**
 * @param count sessions, the one that asks among them: opened before all others, or among the last, so that it is far
 *   from where it belongs
 */
export function afternoon(count: number, columns: number, rows: number): Seat {
  const seat = new Seat(columns, rows);
  const asks = count > 10 ? count - 3 : 1;
  for (let at = 0; at < count; at += 1) {
    const key = at === asks ? asking : keyOf(at);
    seat.now = noon - (count - at) * pause;
    const text = messages[at === asks ? 0 : at % messages.length];
    seat.working(key, text, key.split(':')[2]);
    const status = { context_used_percentage: (at * 17) % 90, cost_usd: (at * 37) / 100, model: 'Opus 4.6' };
    seat.happens(key, { type: 'agent.status', status });
    if (at === asks) {
      seat.says(key, 'The suite is green on both machines. This is 1.4.0; I publish it:\n');
      seat.asks(key, 'kmqtr', 'Bash', { command: 'sh release.sh 1.4.0' });
    } else if (at % 10 !== 4) {
      seat.says(key, 'I looked at all of them, and this is what I found.\n');
      seat.ends(key);
    }
    if (at === 23) seat.happens(key, { type: 'agent.exited', detail: 'code 1', failure: 'start_exited' });
  }
  return seat;
}
