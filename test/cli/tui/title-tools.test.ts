// How the providers of tools are, in the first row of the screen.
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { noon, provider, Seat } from './seat.ts';

function busySeat(columns: number, rows: number): Seat {
  const seat = new Seat(columns, rows);
  for (const session of ['agent:main:main', 'agent:main:other']) seat.working(session);
  seat.asks('agent:main:other', 'kmqtr');
  return seat;
}

test('the first row says how the providers of tools are, and the first that is unwell', () => {
  const seat = busySeat(80, 24);
  seat.status({});
  expect(seat.rows[0]).not.toContain('tools');
  seat.status({ providers: [provider('files'), provider('notes')] });
  expect(seat.rows[0]).toContain('● live  tools ok  ');
  // There is no room for all of the address.
  expect(seat.rows[0]).not.toContain('127');
  seat.resize(100, 24);
  expect(seat.rows[0]).toContain('● live  tools ok  127.0.0.1:18801  ');
  seat.resize(80, 24);
  seat.status({
    providers: [provider('files'), provider('notes', 'degraded'), provider('web', 'unavailable')],
  });
  expect(seat.rows[0]).toContain('tools notes degraded');
  expect(seat.rows[0]).not.toContain('web');
  // As a bridge of an older release answers, and as one that is gone.
  seat.status({ providers: undefined as never, connections: undefined as never });
  expect(seat.rows[0]).not.toContain('tools');
  seat.status({ providers: [provider('notes')] });
  seat.resize(140, 24);
  expect(seat.rows[0]).toContain('tools');
  seat.news({ kind: 'link', link: { name: 'lost', attempt: 1, retryAt: noon, why: '' } });
  expect(seat.rows[0]).not.toContain('tools');
});

test.each([60, 80, 100, 140])('in %i columns the first row has room for what is unwell', (columns) => {
  const seat = busySeat(columns, 24);
  const connections = (['openclaw', 'agp'] as const).map((kind) => ({
    kind,
    url: 'wss://gateway.example/ws',
    attempt: 0,
    reason: null,
    since: '',
    state: 'connected' as const,
  }));
  for (const name of ['notes', 'n'.repeat(32), '\u001b[2J日本語'.repeat(9)]) {
    seat.status({ connections, providers: [provider(name, 'unavailable')] });
    const [row = ''] = seat.rows;
    expect(stringWidth(row)).toBeLessThanOrEqual(columns);
    expect(row).toContain('2 sessions · 1 working · 1 to answer');
    if (columns >= 80) expect(row).toMatch(/● live {2}tools [n日].* unavail/);
  }
});
