// An afternoon with many conversations: most are idle, some work, one asks for something.
import { noon, Seat } from './seat.ts';

const apps = ['telegram', 'discord', 'whatsapp', 'slack', 'signal'];

/** The key of the session that asks. */
export const asking = 'agent:main:telegram:group:-1001234567890:topic:42';

export const keyOf = (at: number): string => {
  const app = apps[at % apps.length] ?? '';
  return `agent:main:${app}:${at % 3 === 0 ? 'group' : 'direct'}:${4_000_000 + at * 7919}`;
};

/** @param count sessions, the one that asks among them: opened last but two, so that it is far from the top. */
export function afternoon(count: number, columns: number, rows: number): Seat {
  const seat = new Seat(columns, rows);
  for (let at = 0; at < count; at += 1) {
    const key = at === count - 3 || (count <= 3 && at === 0) ? asking : keyOf(at);
    seat.now = noon + at * 1000;
    seat.working(key, `Message ${at}`);
    if (key === asking) seat.asks(key, 'kmqtr', 'Bash', { command: 'make deploy' });
    else if (at % 10 !== 4) seat.ends(key);
  }
  return seat;
}
