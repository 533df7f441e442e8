import { safeLine } from '../../output/safe.ts';
import { sessionCells } from '../../sessions/cells.ts';
import { type ColumnName, columnsWithout, type Listed } from '../../sessions/columns.ts';
import { sessionName } from '../../sessions/names.ts';
import { healthOf } from '../../sessions/words.ts';
import { columnGap } from '../../text/fit-columns.ts';
import { inCells, ruler } from '../../text/width.ts';
import { hasFocus, type Model } from '../model/model.ts';
import { listed, rowOf } from '../model/rows.ts';
import { isAway } from '../nodes/nodes.ts';
import { chatOf, modeTone, moodTone, stateMark, stateTone, waitsFor } from '../session-words.ts';
import { shownSessions } from '../shown.ts';
import { block, fitLine, type Line, line, type Span, span, type Tone, toned } from '../text/line.ts';
import { centred } from '../text/scroll.ts';
import { filterSpans, notes, rule, titled } from './rule.ts';

const columns = columnsWithout('id', 'node', 'pid', 'tokens');
const columnsOfMany = columnsWithout('id', 'pid', 'tokens');

/** Cells for the mark of the chosen one, and for that of its state. */
const lead = { session: 2, state: 2 };

const contextTone = (used: number | null): Tone =>
  used === null ? 'dim' : used >= 85 ? 'bad' : used >= 65 ? 'warn' : 'plain';

const tones: Partial<Record<ColumnName, (each: Listed, text: string) => Tone>> = {
  state: ({ row }) => stateTone[row.state],
  waits: (_, text) => (text.startsWith('you') ? 'warn' : 'plain'),
  queue: ({ row }) => (row.queued > 0 ? 'warn' : 'dim'),
  context: ({ row }) => contextTone(row.context_percent),
  mode: ({ row }) => modeTone(row.permission_mode),
  delivery: ({ row }) => moodTone[healthOf(row).mood],
  health: ({ row }) => moodTone[healthOf(row).mood],
  last: () => 'dim',
  claude: () => 'dim',
  model: () => 'dim',
};

const toneOf = (name: ColumnName, each: Listed, text: string): Tone =>
  text === '-' ? 'dim' : (tones[name]?.(each, text) ?? 'plain');

export function sessionsPane(model: Model, height: number, cells: number): Line[] {
  const focused = hasFocus(model, 'sessions');
  const all = shownSessions(model);
  const at = all.findIndex(({ session }) => session.key === model.ui.session);
  const room = height - 2;
  const top = centred(all.length, room, Math.max(0, at));
  const list = all.map((view): Listed => {
    const row = rowOf(view);
    const { key } = row;
    const node = model.homes.get(key);
    return {
      row: node === undefined ? row : { ...row, node },
      now: model.now,
      name: sessionName(row),
      waits: isAway(model, key) ? `${node}: away` : waitsFor(view, row),
      chat: chatOf(view, row),
    };
  });
  const table = sessionCells(model.nodes ? columnsOfMany : columns, list, cells, ruler, lead);
  const gap = span(' '.repeat(columnGap));
  const inRow = (spans: readonly Span[]): Line =>
    fitLine(
      spans.flatMap((each, index) => (index === 0 ? [each] : [gap, each])),
      cells,
    );
  const head = inRow(
    table.columns.map(({ title, align, name }, index) => {
      const before = name === 'session' ? '  ' : '';
      return span(inCells(before + title, table.sizes[index] ?? 0, align), 'dim');
    }),
  );
  const body = list.slice(top, top + room).map((each, index) => {
    const chosen = top + index === at;
    const spans = table.columns.map(({ name, align }, column) => {
      const text = table.rows[top + index]?.[column] ?? '';
      const marks = { session: chosen ? '▸ ' : '  ', state: `${stateMark[each.row.state]} ` };
      const mark = name === 'session' || name === 'state' ? marks[name] : '';
      const tone = name === 'session' && chosen ? 'strong' : toneOf(name, each, text);
      return span(inCells(mark + text, table.sizes[column] ?? 0, align), tone);
    });
    return focused && chosen ? toned(inRow(spans), 'chosen') : inRow(spans);
  });
  const title = rule(titled(1, 'Sessions', focused), note(model, list, at, top, room), focused, cells);
  return block(
    [title, head, ...(all.length === 0 ? [line(`  ${nothing(model)}`, 'dim')] : body)],
    height,
    cells,
  );
}

function note({ ui }: Model, list: readonly Listed[], at: number, top: number, room: number): Line {
  const above = list
    .slice(0, top)
    .filter(({ row }) => row.state === 'asking' || row.state === 'dialog').length;
  return notes(
    above > 0 && [span(`▲ ${above} above `, 'warn'), span('w', 'key')],
    filterSpans(ui, 'sessions'),
    list.length > 1 && [span(`by ${ui.order}`, ui.order === 'attention' ? 'dim' : 'accent')],
    list.length > room && [span(`${at + 1} of ${list.length}`, 'dim')],
  );
}

/** Why there is none. */
function nothing(model: Model): string {
  const { here, ui } = model;
  if (listed(model).length > 0)
    return `No session has "${safeLine(ui.filters.sessions ?? '')}": Esc shows all.`;
  if (here.known) return 'No sessions yet. The first message of a conversation opens one.';
  return here.link.name === 'lost'
    ? 'The bridge is gone: its sessions are not known yet.'
    : 'Asking the bridge for its sessions …';
}
