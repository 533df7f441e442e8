// What sessions are called in a list: whole where there is room, and never two of them the same.

import { type ChatLabel, chatLabel } from '../../domain/views/session/chat-label.ts';
import type { SessionRow } from '../../domain/views/session/session-row.ts';
import { safeLine } from '../output/safe.ts';
import type { Ruler } from '../text/ruler.ts';

type Named = Pick<SessionRow, 'id' | 'key' | 'guessed' | 'label'>;

const named = ({ key, label }: Named): ChatLabel =>
  (label ? undefined : chatLabel(key)) ?? { about: '', id: label ?? key, more: '' };

const whole = ({ about, id, more }: ChatLabel): string =>
  safeLine([about, id, more].filter((part) => part !== '').join(' ')).trim();

/** Its name in full. */
export const sessionName = (row: Named): string => `${whole(named(row))}${row.guessed ? ' ?' : ''}`;

/** An id that is cut to fewer cells tells nothing. */
const leastId = 5;

function cut(row: Named, cells: number, { fits, width, clipMiddle }: Ruler): string {
  const full = sessionName(row);
  if (fits(full, cells)) return full;
  const { about, id, more } = named(row);
  for (const end of [more === '' ? '' : ` ${more}`, '…']) {
    const room = cells - width(safeLine(about)) - 1 - width(safeLine(end));
    if (about !== '' && room >= leastId)
      return `${safeLine(about)} ${clipMiddle(safeLine(id), room)}${safeLine(end)}`;
  }
  return clipMiddle(full, cells);
}

/**
 * Names in at most `cells` each. Those that would read the same end in `#` and the beginning of their id, which every
 * command takes.
 */
export function sessionNames(rows: readonly Named[], cells: number, ruler: Ruler): string[] {
  const { clip, width } = ruler;
  const marked = new Set<number>();
  const nameOf = (row: Named, at: number): string => {
    if (!marked.has(at)) return cut(row, cells, ruler);
    const mark = ` #${row.id.slice(0, 6)}`;
    const room = Math.max(1, cells - mark.length);
    const { about } = named(row);
    // The mark says which one it is: the app and the kind of chat are worth more than a piece of the id.
    const name =
      about === '' || room > width(about) + leastId ? cut(row, room, ruler) : clip(safeLine(about), room);
    return clip(`${name}${mark}`, cells);
  };
  for (;;) {
    const names = rows.map(nameOf);
    const seen = new Map<string, number>();
    const before = marked.size;
    names.forEach((name, at) => {
      const twin = seen.get(name);
      if (twin === undefined) seen.set(name, at);
      else marked.add(at).add(twin);
    });
    if (marked.size === before) return names;
  }
}
