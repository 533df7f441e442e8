import { describe, expect, test } from 'vitest';
import { Seat } from './seat.ts';

const key = 'agent:main:telegram:direct:4242';
const panicked = {
  type: 'bridge.panicked',
  since: Date.UTC(2026, 10, 22, 3, 12),
  by: 'the operator, at the screen',
  reason: 'a runaway loop',
} as const;

function working(columns = 80, rows = 24): Seat {
  const seat = new Seat(columns, rows);
  seat.working(key);
  return seat;
}

const call = (method: string) => expect.objectContaining({ type: 'call', method, params: { door: 'tui' } });

test('! stops everything once it is confirmed, and is named in the last row and in the help', () => {
  const seat = working();
  expect(seat.rows.at(-1)).toContain('! panic');
  seat.press('!');
  expect(seat.rows.at(-1)).toMatch(/Stop everything\? .*y yes {3}any other key no/);
  expect(seat.taken()).toEqual([]);
  seat.press('y');
  expect(seat.taken()).toEqual([call('bridge.panic')]);
  seat.press('?');
  expect(seat.screen).toContain('PANIC: deny, interrupt and refuse everything');
});

test('any other key than y does not, and while text is typed ! is a letter', () => {
  const seat = working();
  seat.press('!', '!', 'm', '!', 'y', 'esc');
  expect(seat.taken()).toEqual([]);
});

test('it works over a permission request, too', () => {
  const seat = working();
  seat.asks(key, 'kmqtr', 'Bash', { command: 'make deploy' });
  seat.press('p', '!', 'y');
  expect(seat.taken()).toEqual([call('bridge.panic')]);
});

describe.each([
  [80, 24],
  [40, 12],
  [160, 40],
])('at %d×%d', (columns, rows) => {
  test('a line over the whole width says so for as long as it holds, and U lets it go on', () => {
    const seat = working(columns, rows);
    const [title] = seat.rows;
    seat.happens('', panicked);
    expect(seat.rows).toHaveLength(rows - 1);
    expect(seat.rows[0]).toBe(title);
    expect(seat.rows[1]).toMatch(/^ ■ ALL STOPPED since 03:12/);
    if (columns >= 80) expect(seat.rows[1]).toContain('a runaway loop');
    expect(seat.rows[1]).toMatch(/U: go on$/);
    seat.press('?');
    expect(seat.rows[1]).toContain('ALL STOPPED');
    seat.press('esc', 'U', 'y');
    expect(seat.taken()).toEqual([call('bridge.resume')]);
    seat.happens('', { type: 'bridge.resumed', by: 'the operator' });
    expect(seat.screen).not.toContain('ALL STOPPED');
  });
});

test('a screen that comes later learns it from the bridge, and there is no session without a name', () => {
  const seat = working();
  seat.happens('', panicked);
  expect(seat.rows[0]).toContain('1 session ');
  const later = working();
  later.press('U');
  expect(later.screen).toContain('Nothing is stopped.');
  later.status({ panic: { since: '2026-11-22T03:12:00.000Z', by: 'the operator', reason: null } });
  expect(later.rows[1]).toMatch(/ALL STOPPED since 03:12 UTC {3}the operator/);
});

test('what is wrong with the bridge itself stands below the title, and gives way to a panic', () => {
  const seat = working();
  seat.status({
    notices: [{ code: 'disk_full', words: 'The disk is full: no new message is taken.\u001b[2J' }],
  });
  expect(seat.rows[1]).toBe(' ■ The disk is full: no new message is taken.');
  seat.happens('', panicked);
  expect(seat.rows[1]).toContain('ALL STOPPED');
  seat.happens('', { type: 'bridge.resumed', by: 'the operator' });
  expect(seat.rows[1]).toContain('The disk is full');
  seat.status({});
  expect(seat.screen).not.toContain('disk');
});
