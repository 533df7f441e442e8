import { describe, expect, test } from 'vitest';
import { width } from '../../../src/cli/text/width.ts';
import { Seat } from './seat.ts';

const key = 'agent:main:main';

function busy(columns: number, rows: number): Seat {
  const seat = new Seat(columns, rows);
  seat.working(key);
  seat.says(key, Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n'));
  seat.asks(key, 'kmqtr', 'Bash', { command: 'word '.repeat(60).trim() });
  return seat;
}

const titles = (seat: Seat): string[] =>
  ['1 Sessions', '2 Transcript', '3 Frames', '4 Permissions'].filter((title) => seat.screen.includes(title));

describe.each([
  [40, 12],
  [80, 24],
  [200, 50],
])('at %i×%i', (columns, rows) => {
  test('z gives the pane with the focus the whole screen, and takes it back', () => {
    const seat = busy(columns, rows);
    for (const [focus, title] of [
      ['1', '1 Sessions'],
      ['2', '2 Transcript'],
      ['3', '3 Frames'],
    ] as const) {
      seat.press(focus);
      const before = seat.screen;
      seat.press('z');
      expect(titles(seat)).toEqual([title]);
      expect(seat.rows).toHaveLength(rows - 1);
      expect(seat.rows.every((row) => width(row) <= columns)).toBe(true);
      seat.press('z');
      expect(seat.screen).toBe(before);
    }
  });

  test('the keys for panes show each of them whole, and paging goes by the screen', () => {
    const seat = busy(columns, rows);
    seat.press('2', 'z');
    const first = seat.rows.find((row) => row.includes('line '));
    seat.press('pageup', 'pagedown');
    expect(seat.rows.find((row) => row.includes('line '))).toBe(first);
    seat.press('tab');
    expect(titles(seat)).toEqual(['3 Frames']);
  });
});

test('a message that is written keeps its line in a zoomed pane', () => {
  const seat = busy(80, 24);
  seat.press('2', 'z', 'm', 'type:zoom zebra');
  expect(seat.screen).toContain('❯ zoom zebra');
  expect(seat.rows).toHaveLength(23);
});

test('a question beside the transcript gets all of a wide screen, and has to be read again there', () => {
  const seat = busy(200, 50);
  seat.press('p');
  expect(titles(seat)).toContain('2 Transcript');
  seat.press('a', 'z');
  expect(titles(seat)).toEqual([]);
  seat.press('ctrl+y');
  expect(seat.taken()).toEqual([]);
  seat.press('a', 'ctrl+y');
  expect(seat.taken()).toHaveLength(1);
});

test('what was read on a small part of the screen is not read on another', () => {
  const long = Array.from({ length: 70 }, (_, at) => `echo ${at}`).join('\n');
  const seat = new Seat(200, 50);
  seat.working(key);
  seat.asks(key, 'kmqtr', 'Bash', { command: long });
  seat.press('p', ...Array(9).fill('pagedown'), 'z', 'a', 'ctrl+y');
  expect(seat.taken()).toEqual([]);
  expect(seat.screen).toContain('Read all of it first');
});
