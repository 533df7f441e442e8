import { shortModeText } from '../../../domain/views/mode-words.ts';
import type { SessionRow } from '../../../domain/views/session-row.ts';
import type { SessionView } from '../../../domain/views/session-view.ts';
import { safeLine } from '../../output/safe.ts';
import { hasFocus, type Model } from '../model.ts';
import { listed, rowOf } from '../rows.ts';
import { chatOf, duration, healthOf, modeTone, stateMark, stateTone, waitsFor } from '../session-words.ts';
import { block, type Line, line, span, toned } from '../text/line.ts';
import { centred } from '../text/scroll.ts';
import { type Column, table } from '../text/table.ts';
import { rule, titled } from './rule.ts';

interface Listed {
  view: SessionView;
  row: SessionRow;
  now: number;
  chosen: boolean;
}

const turnTime = ({ row, now }: Listed): string =>
  row.working_since === null ? '-' : duration(now - Date.parse(row.working_since));

const percent = ({ row }: Listed) => {
  const used = row.context_percent;
  if (used === null) return span('-', 'dim');
  return span(`${Math.round(used)}%`, used >= 85 ? 'bad' : used >= 65 ? 'warn' : 'plain');
};

const quiet = (text: string) => span(safeLine(text), text === '-' ? 'dim' : 'plain');

const columns: readonly Column<Listed>[] = [
  {
    head: '  KEY',
    min: 20,
    max: 52,
    rank: 0,
    middle: true,
    cell: ({ row, chosen }) =>
      span(
        `${chosen ? '▸ ' : '  '}${safeLine(row.key)}${row.guessed ? ' ?' : ''}`,
        chosen ? 'strong' : 'plain',
      ),
  },
  {
    head: 'STATE',
    min: 10,
    max: 10,
    rank: 0,
    cell: ({ row: { state } }) => span(`${stateMark[state]} ${state}`, stateTone[state]),
  },
  {
    head: 'WAITS FOR',
    min: 12,
    max: 32,
    rank: 1,
    cell: ({ view, row }) => {
      const words = safeLine(waitsFor(view, row));
      return span(words, words.startsWith('you') ? 'warn' : words === '-' ? 'dim' : 'plain');
    },
  },
  { head: 'TURN', min: 6, max: 6, rank: 2, align: 'right', cell: (each) => quiet(turnTime(each)) },
  {
    head: 'Q',
    min: 2,
    max: 2,
    rank: 3,
    align: 'right',
    cell: ({ row }) => span(String(row.queued), row.queued > 0 ? 'warn' : 'dim'),
  },
  { head: 'CTX', min: 4, max: 4, rank: 3, align: 'right', cell: percent },
  {
    head: 'COST',
    min: 6,
    max: 7,
    rank: 6,
    align: 'right',
    cell: ({ row }) => quiet(row.cost_usd === null ? '-' : `$${row.cost_usd.toFixed(2)}`),
  },
  {
    head: 'MODE',
    min: 9,
    max: 9,
    rank: 5,
    cell: ({ row: { permission_mode: mode } }) => span(safeLine(shortModeText(mode)), modeTone(mode)),
  },
  {
    // In a small terminal the road alone says by its mark and colour how it is.
    head: 'ROAD',
    min: 10,
    max: 10,
    rank: 1,
    cell: ({ row }) => {
      const { tone } = healthOf(row);
      const mark = tone === 'warn' || tone === 'bad' ? ' !' : '';
      return span(`${row.delivery ?? (row.failure === null ? '-' : 'failed')}${mark}`, tone);
    },
  },
  {
    head: 'HEALTH',
    min: 6,
    max: 22,
    rank: 4,
    cell: ({ row }) => {
      const { text, tone } = healthOf(row);
      return span(safeLine(text), tone);
    },
  },
  { head: 'CHAT', min: 12, max: 26, rank: 5, cell: ({ view, row }) => quiet(chatOf(view, row)) },
  { head: 'CLAUDE', min: 8, max: 36, rank: 7, cell: ({ row }) => span(row.claude_session ?? '-', 'dim') },
  { head: 'MODEL', min: 10, max: 20, rank: 8, cell: ({ row }) => span(safeLine(row.model ?? '-'), 'dim') },
];

export function sessionsPane(model: Model, height: number, cells: number): Line[] {
  const focused = hasFocus(model, 'sessions');
  const all = listed(model).map((view): Listed => {
    const row = rowOf(view);
    return { view, row, now: model.now, chosen: row.key === model.ui.session };
  });
  const at = all.findIndex(({ chosen }) => chosen);
  const top = centred(all.length, height - 2, Math.max(0, at));
  const shown = all.slice(top, top + height - 2);
  const { head, lines } = table(columns, shown, cells);
  const hidden = all.length - shown.length;
  const note = hidden > 0 ? line(`${at + 1} of ${all.length}`, 'dim') : [];
  const body = lines.map((each, index) => (focused && shown[index]?.chosen ? toned(each, 'chosen') : each));
  const empty = line('  No sessions yet. The first message of a conversation opens one.', 'dim');
  const title = rule(titled(1, 'Sessions', focused), note, focused, cells);
  return block([title, head, ...(all.length === 0 ? [empty] : body)], height, cells);
}
