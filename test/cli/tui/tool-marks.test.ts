// Every tool that began ends on the screen, too, however it ended.
import { beforeEach, expect, test } from 'vitest';
import { packSession } from '../../../src/domain/views/snapshot.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { noon, Seat } from './seat.ts';

const key = 'agent:main:main';
const turn = `t-${key}`;
const about = { turn, tool_use: 'u1', tool: 'Bash' };
const started: SessionEvent = { type: 'activity', ...about, phase: 'started', input: { command: 'make' } };
const asked: SessionEvent = {
  type: 'permission.asked',
  ...about,
  code: 'kmqtr',
  input: { command: 'make' },
  expires_at: noon + 600_000,
};
const decided = (verdict: 'allow' | 'deny'): SessionEvent => ({
  type: 'permission.decided',
  code: 'kmqtr',
  verdict,
  by: 'chat',
  scope: 'once',
});
const settled = (outcome: 'completed' | 'failed' | 'cancelled'): SessionEvent => ({
  type: 'turn.settled',
  turn,
  outcome,
});

let seat: Seat;
beforeEach(() => {
  seat = new Seat();
  seat.working(key);
});

/** Without the list of sessions, whose mark for work is the same. */
const transcript = () => seat.screen.slice(seat.screen.indexOf('2 Transcript'));

test('one that was denied says so at once, and nothing runs any more', () => {
  seat.happens(key, started, asked);
  expect(transcript()).toContain('◆ Bash');
  seat.happens(key, decided('deny'));
  expect(transcript()).toMatch(/⊘ Bash {2}denied {2}make/);
  expect(transcript()).toContain('⊘ denied');
  seat.happens(key, { type: 'activity', ...about, phase: 'failed' }, settled('completed'));
  expect(transcript()).toMatch(/⊘ Bash {2}denied/);
  expect(transcript()).not.toContain('◆');
});

test('one that ran although a no was on its way is shown as what it is: done', () => {
  seat.happens(key, started, asked, decided('deny'), { type: 'activity', ...about, phase: 'succeeded' });
  expect(transcript()).toContain('✓ Bash  make');
});

test('one that a rule denied ends, whichever of the two is told first', () => {
  const ruled: SessionEvent = {
    type: 'policy.ruled',
    ...about,
    input: { command: 'make' },
    verdict: 'deny',
    rule: 'rule 1',
  };
  seat.happens(key, started, ruled);
  expect(transcript()).toMatch(/⊘ Bash {2}denied/);
  const other = { turn, tool: 'Write', tool_use: 'u2' };
  seat.happens(
    key,
    { ...ruled, ...other },
    { type: 'activity', ...other, phase: 'started', input: { file_path: '/a' } },
  );
  expect(transcript()).toMatch(/⊘ Write {2}denied/);
  expect(transcript()).not.toContain('◆');
});

test('a lent one that nobody ran because of a no is denied, one that was dropped is not', () => {
  const called: SessionEvent = {
    type: 'tool.called',
    turn,
    call: 'c1',
    tool: 'exec',
    args: { command: 'ls' },
  };
  seat.happens(key, called, { ...called, call: 'c2', tool: 'read' });
  seat.happens(
    key,
    { type: 'tool.dropped', call: 'c1', reason: 'Denied', denied: true },
    { type: 'tool.dropped', call: 'c2', reason: 'Claude cancelled the call' },
  );
  expect(transcript()).toMatch(/⊘ exec {2}denied/);
  expect(transcript()).toMatch(/· read {2}end not seen/);
});

test.each([
  ['cancelled', /■ Bash {2}cut short {2}make/],
  ['failed', /■ Bash {2}cut short {2}make/],
  ['completed', /· Bash {2}end not seen {2}make/],
] as const)('one that was open when its turn %s ends with it', (outcome, row) => {
  seat.happens(key, started, settled(outcome));
  expect(transcript()).toMatch(row);
  expect(transcript()).not.toContain('◆');
  // A hook may come late, and knows better.
  seat.happens(key, { type: 'activity', ...about, phase: 'succeeded' });
  expect(transcript()).toContain('✓ Bash  make');
});

test.each([
  ['its turn was cut', [settled('cancelled')], /■ Bash {2}cut short/],
  ['it was denied', [asked, decided('deny')], /⊘ Bash {2}denied/],
  ['its turn is not remembered any more', 'forgotten', /No sessions|Nothing was said/],
] as const)('what ended while nobody listened is not open behind the next snapshot: %s', (_, missed, row) => {
  seat.happens(key, started);
  const { seq } = seat.model.here;
  const far = new Seat();
  far.working(key);
  far.happens(key, started, ...(missed === 'forgotten' ? [] : missed));
  const session = far.model.sessions.get(key)?.session;
  if (!session) throw new Error('no session');
  const known = missed === 'forgotten' ? { ...session, turns: [] } : session;
  seat.news({ kind: 'snapshot', snapshot: { seq: seq + 50, sessions: [packSession(known)] } });
  expect(transcript()).toMatch(row);
  expect(transcript()).not.toContain('◆');
});

test('a tool that runs still runs behind a snapshot', () => {
  seat.happens(key, started, asked);
  const session = seat.model.sessions.get(key)?.session;
  if (!session) throw new Error('no session');
  seat.news({ kind: 'snapshot', snapshot: { seq: seat.model.here.seq, sessions: [packSession(session)] } });
  expect(transcript()).toContain('◆ Bash');
  expect(transcript()).toContain('▲ asks you: kmqtr');
});
