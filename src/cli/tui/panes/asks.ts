import { gistOf } from '../../../domain/views/words/gist.ts';
import { safeLine } from '../../output/safe.ts';
import { duration } from '../../sessions/words.ts';
import { hasFocus, type Model } from '../model/model.ts';
import { nameOf, type WaitingAsk } from '../model/rows.ts';
import { onNode } from '../nodes/nodes.ts';
import { chosenAsk, shownAsks } from '../shown.ts';
import { block, type Line, line, span, toned } from '../text/line.ts';
import { centred } from '../text/scroll.ts';
import { type Column, table } from '../text/table.ts';
import { filterSpans, notes, rule, titled } from './rule.ts';

interface Listed extends WaitingAsk {
  now: number;
  name: string;
  chosen: boolean;
}

const columns: readonly Column<Listed>[] = [
  {
    head: '',
    min: 7,
    max: 7,
    rank: 0,
    cell: ({ ask, chosen }) => span(`${chosen ? '▸ ' : '  '}${ask.code}`, 'warn'),
  },
  { head: '', min: 8, max: 16, rank: 0, cell: ({ ask }) => span(safeLine(ask.tool), 'tool') },
  {
    head: '',
    min: 24,
    max: 110,
    rank: 0,
    grows: true,
    cell: ({ ask }) => span(safeLine(gistOf(ask.tool, ask.input).slice(0, 400)), 'strong'),
  },
  {
    head: '',
    min: 14,
    max: 40,
    rank: 2,
    middle: true,
    cell: ({ name }) => span(name, 'dim'),
  },
  {
    head: '',
    min: 7,
    max: 9,
    rank: 1,
    align: 'right',
    cell: ({ ask, now }) => span(duration(ask.expiresAt - now), ask.expiresAt - now < 60_000 ? 'bad' : 'dim'),
  },
];

/** The questions that wait; there is no such pane while none does. */
export function asksPane(model: Model, height: number, cells: number): Line[] {
  if (height === 0) return [];
  const focused = hasFocus(model, 'asks');
  const waiting = shownAsks(model);
  const chosen = chosenAsk(model)?.ask.code;
  const at = Math.max(
    0,
    waiting.findIndex(({ ask }) => ask.code === chosen),
  );
  const room = height - 1;
  const top = centred(waiting.length, room, at);
  const shown = waiting.slice(top, top + room).map(
    (each): Listed => ({
      ...each,
      now: model.now,
      name: nameOf(model, each.session) + onNode(model, each.session),
      chosen: each.ask.code === chosen,
    }),
  );
  const { lines } = table(columns, shown, cells);
  const rows = lines.map((each, index) => (focused && shown[index]?.chosen ? toned(each, 'chosen') : each));
  const note = notes(
    filterSpans(model.ui, 'asks'),
    waiting.length > room && [span(`${at + 1} of ${waiting.length}`, 'dim')],
    [span('p', 'key'), span(' look and answer', 'dim')],
  );
  const none = line('  No request has that in it: Esc shows all.', 'dim');
  return block(
    [
      rule(titled(4, 'Permissions', focused), note, focused, cells),
      ...(waiting.length === 0 ? [none] : rows),
    ],
    height,
    cells,
  );
}
