// How the screen calls its operator: for what, how often, and in which sequence.
import { expect, test } from 'vitest';
import { Caller, worthACall } from '../../../src/cli/tui/bridge/caller.ts';
import { callText } from '../../../src/cli/tui/call-text.ts';
import type { Notice } from '../../../src/domain/words/notice.ts';
import type { JournalRow, SessionEvent } from '../../../src/protocol/events/events.ts';
import { escapePayloads } from '../escape-payloads.ts';
import { Seat } from './seat.ts';

const notice = (event: Notice['event'], text = 'make'): Notice => ({
  event,
  session: 'ops:one',
  title: 'Claude asks for permission: Bash',
  text,
});
const asked = (code: string): SessionEvent => ({
  type: 'permission.asked',
  code,
  tool: 'Bash',
  input: { command: 'make' },
  expires_at: 0,
});
const row = (seq: number, event: SessionEvent): JournalRow => ({ seq, at: 0, session: 'ops:one', event });

test('a bell rings for what waits alone; a notification has words for all of it', () => {
  expect(callText(notice('asks'), 'bell', false)).toBe('\u0007');
  expect(callText(notice('asks'), 'bell', true)).toBe('\u0007');
  for (const event of ['failed', 'done'] as const) expect(callText(notice(event), 'bell', false)).toBe('');
  for (const event of ['asks', 'failed', 'done'] as const) {
    expect(callText(notice(event), 'off', false)).toBe('');
    expect(callText(notice(event), 'osc9', false)).toBe(
      '\u001b]9;Claude asks for permission: Bash: ops:one: make\u0007',
    );
    expect(callText(notice(event), 'osc777', false)).toBe(
      '\u001b]777;notify;Claude asks for permission: Bash;ops:one: make\u0007',
    );
  }
});

test('tmux hands it on to the terminal behind it', () => {
  expect(callText(notice('asks'), 'osc9', true)).toBe(
    '\u001bPtmux;\u001b\u001b]9;Claude asks for permission: Bash: ops:one: make\u0007\u001b\\',
  );
});

test.each(escapePayloads)(
  'foreign text stays within its part of the sequence: $name',
  ({ text: payload }) => {
    const evil = {
      ...notice('asks', `${payload};a;b\n${'x'.repeat(5000)}`),
      title: payload,
      session: payload,
    };
    const nine = callText(evil, 'osc9', false);
    const seven = callText(evil, 'osc777', false);
    expect(nine).toMatch(/^\u001b\]9;[^\u0000-\u001f\u007f-\u009f;]*\u0007$/);
    expect(seven).toMatch(
      /^\u001b\]777;notify;[^\u0000-\u001f\u007f-\u009f;]*;[^\u0000-\u001f\u007f-\u009f;]*\u0007$/,
    );
    expect(nine.length).toBeLessThan(420);
  },
);

test('what was there when the screen opened is told to nobody, and what comes again after a reconnect once', () => {
  const caller = new Caller(60_000);
  caller.snapshot(2);
  expect(caller.hear([row(1, asked('aaaaa')), row(2, asked('bbbbb'))])).toEqual([]);
  expect(caller.hear([row(3, asked('ccccc'))])).toHaveLength(1);
  expect(caller.hear([row(2, asked('bbbbb')), row(3, asked('ccccc'))])).toEqual([]);
  expect(caller.hear([row(4, asked('ddddd'))])).toHaveLength(1);
});

test('a turn that was running when the screen opened is known by how long it took in all', () => {
  const caller = new Caller(60_000);
  const turn = { turn: 't' };
  caller.snapshot(2);
  caller.hear([
    row(1, { type: 'turn.queued', ...turn, ingress: 'openai', text: 'Build', meta: {} }),
    row(2, { type: 'turn.running', ...turn }),
  ]);
  const end = { ...row(3, { type: 'turn.settled', ...turn, outcome: 'completed' }), at: 61_000 };
  expect(caller.hear([end])).toMatchObject([{ event: 'done', text: 'Build' }]);
});

test('a question that is answered already calls nobody, and a crowd is cut to the newest', () => {
  const seat = new Seat();
  seat.working('ops:one');
  for (const code of ['aaaaa', 'bbbbb', 'ccccc', 'ddddd', 'eeeee']) seat.asks('ops:one', code);
  seat.happens('ops:one', {
    type: 'permission.decided',
    code: 'eeeee',
    verdict: 'allow',
    by: 'chat',
    scope: 'once',
  });
  const caller = new Caller(60_000);
  const notices = caller.hear(seat.model.frames);
  expect(worthACall(notices, seat.model).map(({ code }) => code)).toEqual(['bbbbb', 'ccccc', 'ddddd']);
});
