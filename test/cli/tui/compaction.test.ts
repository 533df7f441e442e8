// Rows that stand for archived ones: a screen that has seen it all shows nothing new, one that was away catches up.
import { expect, test } from 'vitest';
import type { Session } from '../../../src/domain/state/session.ts';
import { restoredEvent } from '../../../src/domain/state/snapshot.ts';
import { packSession } from '../../../src/domain/views/snapshot.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { Seat } from './seat.ts';

const key = 'agent:main:telegram:direct:4242';
const turn = `t-${key}`;
const reads = (phase: 'started' | 'succeeded'): SessionEvent => ({
  type: 'activity',
  turn,
  tool_use: 'u1',
  tool: 'Read',
  phase,
  input: { file_path: '/a' },
});
const compacted = (panic: Extract<SessionEvent, { type: 'bridge.compacted' }>['panic']): SessionEvent => ({
  type: 'bridge.compacted',
  origin: 9,
  codes: [],
  claudes: {},
  panic,
});

function working(): Seat {
  const seat = new Seat(100, 40);
  seat.working(key);
  seat.says(key, 'First I look.\n');
  seat.happens(key, reads('started'), reads('succeeded'));
  return seat;
}

function sessionOf({ model }: Seat): Session {
  const session = model.sessions.get(key)?.session;
  if (!session) throw new Error('the screen does not know it');
  return session;
}

test('a state that is restored shows nothing new, and is no frame', () => {
  const seat = working();
  const { screen, model } = seat;
  seat.happens(key, restoredEvent(sessionOf(seat)));
  expect(seat.screen).toBe(screen);
  expect(seat.screen).toContain('✓ Read  /a');
  expect(seat.model.frames).toEqual(model.frames);
  seat.says(key, 'Then I write.', 1);
  expect(seat.screen).toContain('Then I write.');
});

test('a screen that comes later makes nothing up for a turn that began before', () => {
  const early = working();
  const restored = restoredEvent(sessionOf(early));
  const late = new Seat(100, 40);
  const { seq } = early.model.here;
  late.news({ kind: 'snapshot', snapshot: { seq, sessions: [packSession(sessionOf(early))] } });
  const rows = [restored, { ...reads('started'), tool_use: 'u2' } as SessionEvent];
  late.news({
    kind: 'rows',
    rows: rows.map((event, n) => ({ seq: seq - 1 + n, at: 0, session: key, event })),
  });
  expect(late.model.sessions.get(key)?.steps).toEqual([]);
});

test('a screen that was away learns what became of a session, and of a panic', () => {
  const seat = working();
  const away = sessionOf(seat);
  seat.ends(key);
  const ended = restoredEvent(sessionOf(seat));
  const back = new Seat(100, 40);
  back.news({ kind: 'snapshot', snapshot: { seq: 0, sessions: [packSession(away)] } });
  back.happens('', compacted({ since: Date.UTC(2026, 10, 22, 3, 12), by: 'the operator' }));
  back.happens(key, ended);
  expect(back.rows[1]).toMatch(/ALL STOPPED since 03:12/);
  expect(sessionOf(back).turns).toMatchObject([{ phase: { name: 'settled' } }]);
  back.happens('', compacted(null));
  expect(back.screen).not.toContain('ALL STOPPED');
});
