import { beforeEach, expect, test } from 'vitest';
import { Deadlines } from '../../../src/bridge/app/deadlines.ts';
import type { CallerCommand } from '../../../src/domain/commands.ts';
import type { SessionEvent } from '../../../src/protocol/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let clock: ManualClock;
let deadlines: Deadlines;
let sent: CallerCommand[];
beforeEach(() => {
  clock = new ManualClock();
  sent = [];
  deadlines = new Deadlines({
    clock,
    cancelMs: 10_000,
    deliverMs: 10_000,
    turnMs: 60_000,
    unattendedMs: 1000,
    dispatch: (_, command) => sent.push(command),
  });
});

const see = (event: SessionEvent) => deadlines.observe({ seq: 1, at: 0, session: 'k', event });
const asked = (ms: number): SessionEvent => ({
  type: 'permission.asked',
  turn: 't',
  code: 'abcde',
  tool: 'Bash',
  input: {},
  expires_at: clock.wall() + ms,
});

test('a question is given up when its time is over, and not before', () => {
  see(asked(30_000));
  clock.advance(29_999);
  expect(sent).toEqual([]);
  clock.advance(1);
  expect(sent).toEqual([{ type: 'permission.expire', code: 'abcde' }]);
});

test('one that was answered is not', () => {
  see(asked(30_000));
  see({ type: 'permission.decided', code: 'abcde', verdict: 'allow', by: 'chat', scope: 'once' });
  clock.advance(59_999);
  expect(sent).toEqual([]);
});

test('a turn is not given up as silent while it waits for a human, but some time after', () => {
  see({ type: 'turn.running', turn: 't' });
  see(asked(600_000));
  clock.advance(600_000);
  expect(sent).toEqual([{ type: 'permission.expire', code: 'abcde' }]);
  clock.advance(60_000);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ type: 'turn.expire', turn: 't' });
});
