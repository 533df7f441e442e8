import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { liveLines } from '../../../src/cli/output/live/live-table.ts';
import { psLines, sessionLines } from '../../../src/cli/sessions/cells.ts';
import { columnsWithout, sessionColumns } from '../../../src/cli/sessions/columns.ts';
import { type Order, orders, sorted } from '../../../src/cli/sessions/order.ts';
import { ruler, width } from '../../../src/cli/text/width.ts';
import { Seat } from '../tui/seat.ts';
import { rowOf } from './row-of.ts';

const key = 'agent:main:telegram:direct:4242';
const titles = (line: string): string[] =>
  line
    .trim()
    .split(/ {2,}| (?=Q\b)/)
    .map((title) => title.trim());

/** What each of the three shows at this width. */
function heads(cells: number): Record<'up' | 'ps' | 'attach', string[]> {
  const rows = [rowOf(key)];
  const seat = new Seat(cells, 24);
  seat.working(key);
  const list = [{ row: rowOf(key), now: 0, name: key }];
  return {
    up: titles(liveLines({ title: 't', rows, asks: [] }, { cols: cells + 1, rows: 24 }, 0)[1] ?? ''),
    ps: titles(sessionLines(columnsWithout('chat'), list, cells, ruler)[0] ?? ''),
    attach: titles(seat.row('SESSION')),
  };
}

test('up, ps and attach call their columns the same, in the same order', () => {
  const order: string[] = Object.values(sessionColumns).map(({ title }) => title);
  for (const cells of [40, 80, 120, 200, 300]) {
    for (const shown of Object.values(heads(cells))) {
      expect(shown.filter((title) => !order.includes(title))).toEqual([]);
      expect(shown).toEqual(order.filter((title) => shown.includes(title)));
    }
  }
});

test('the columns that all three have leave in the same order when the room gets small', () => {
  const leaving = (name: 'up' | 'ps' | 'attach'): string[] => {
    const left: string[] = [];
    let before: string[] = [];
    for (let cells = 300; cells >= 30; cells -= 1) {
      const shown = heads(cells)[name];
      left.push(...before.filter((title) => !shown.includes(title)));
      before = shown;
    }
    return left;
  };
  const [up, ps, attach] = [leaving('up'), leaving('ps'), leaving('attach')];
  const common = up.filter((title) => ps.includes(title) && attach.includes(title));
  expect(common).toEqual(['COST', 'MODE', 'LAST', 'HEALTH', 'CTX', 'Q', 'TURN', 'DELIVERY', 'WAITS FOR']);
  expect(ps.filter((title) => common.includes(title))).toEqual(common);
  expect(attach.filter((title) => common.includes(title))).toEqual(common);
});

test('where nothing is cut, all of it is there', () => {
  const health = ['one', 'two'].map((code) => ({ code, words: '' }));
  const row = rowOf(`${key}:${'x'.repeat(100)}`, { permission_mode: 'bypassPermissions', health });
  const [, line = ''] = sessionLines(columnsWithout(), [{ row, now: 0, name: row.key }], undefined, ruler);
  expect(line).toContain(`  ${row.key}  `);
  expect(line).toContain('bypassPermissions !');
  expect(line).toContain('one,two');
});

test('ps cuts no short text while there is room beside it: a node has its whole name at 80 columns', async () => {
  const rows = [
    rowOf('agp:ws://127.0.0.1:20445/agentwss:chat1', { node: 'second' }),
    rowOf('notes', { node: 'vm', state: 'stopped' }),
  ];
  const lines = await psLines(rows, 80, false);
  expect(lines.join('\n')).toMatch(/ SESSION +NODE +STATE +WAITS FOR +DELIVERY$/m);
  expect(lines.join('\n')).toContain('  second  ');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('ps tells a program the whole key, and a person what the conversation is called', async () => {
  const rows = [rowOf(key, { guessed: true })];
  expect((await psLines(rows, undefined, false))[1]).toContain(`  ${key} (guessed)  `);
  const [head = '', line = ''] = await psLines(rows, 80, false);
  expect(line).toContain('  telegram direct 4242 ?  ');
  expect(head).toMatch(/^ID +SESSION +STATE/);
  expect(width(line)).toBeLessThanOrEqual(80);
});

test('no line is wider than asked for, whatever is in it', () => {
  const row = rowOf('日本語チャンネル'.repeat(20), {
    model: '👍'.repeat(40),
    claude_session: 'x'.repeat(50),
  });
  for (let cells = 34; cells < 260; cells += 7)
    for (const line of sessionLines(columnsWithout('id'), [{ row, now: 0, name: row.key }], cells, ruler))
      expect(width(line)).toBeLessThanOrEqual(cells);
});

const at = (minute: number) => `2026-01-01T12:${String(minute).padStart(2, '0')}:00.000Z`;
const some = [
  rowOf('idle', { state: 'idle', touched_at: at(9), context_percent: 90 }),
  rowOf('stopped', { state: 'stopped', touched_at: at(8) }),
  rowOf('failed', { state: 'stopped', failure: 'exited', touched_at: at(1) }),
  rowOf('working', { state: 'working', touched_at: at(2), cost_usd: 3 }),
  rowOf('starting', { state: 'starting', touched_at: at(3), cost_usd: 0.5 }),
  rowOf('asking', { state: 'asking', asking: ['abcde'], touched_at: at(4) }),
  rowOf('dialog', { state: 'dialog', touched_at: at(0), context_percent: 7 }),
];

test.each<[Order, string]>([
  ['attention', 'asking dialog failed starting working idle stopped'],
  ['recent', 'idle stopped asking starting working failed dialog'],
  ['name', 'asking dialog failed idle starting stopped working'],
  ['context', 'idle dialog stopped asking starting working failed'],
  ['cost', 'working starting idle stopped asking failed dialog'],
])('by %s they stand like this, in whatever order they came', (order, expected) => {
  for (const list of [some, [...some].reverse()])
    expect(
      sorted(list, order, (row) => row)
        .map((row) => row.key)
        .join(' '),
    ).toBe(expected);
});

test('two that are equal stand in the order of their keys', () => {
  for (const order of orders)
    expect(sorted([rowOf('b'), rowOf('a')], order, (row) => row).map((row) => row.key)).toEqual(['a', 'b']);
});

test('the guide says what each column means', () => {
  const guide = readFileSync(
    resolve(import.meta.dirname, '../../../docs/guides/watching-and-steering.md'),
    'utf8',
  );
  const told = [...guide.matchAll(/^\| ([A-Z][A-Z, ]*) \|/gm)].flatMap(([, names = '']) => names.split(', '));
  expect(told.sort()).toEqual(
    Object.values(sessionColumns)
      .map(({ title }) => title as string)
      .sort(),
  );
});
