import { expect, test } from 'vitest';
import { decide } from '../../src/domain/decide/decide.ts';
import { labelFault, labelOf } from '../../src/domain/session-label.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, type Session } from '../../src/domain/state/session.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

test.each([
  ['a control character', 'a\u0007b', 'cannot be seen'],
  ['an escape sequence', '\u001b[31mred', 'cannot be seen'],
  ['a line end', 'a\nb', 'more than one line'],
  ['a tab', 'a\tb', 'cannot be seen'],
  ['a line separator', 'a\u2028b', 'more than one line'],
  ['a change of direction', 'a\u202eb', 'cannot be seen'],
  ['a blank without width', 'a\u200bb', 'cannot be seen'],
  ['a tag', 'a\u{e0041}b', 'cannot be seen'],
  ['a blank that is none', 'a\u00a0b', 'cannot be seen'],
  ['half a character', 'a\ud83d', 'cannot be seen'],
  ['41 characters', 'x'.repeat(41), 'has 41 characters, and there is room for 40'],
  ['a flag', '--all', 'begins with a dash'],
  ['an id', '0123456789aB', 'looks like the id of a session'],
])('%s is no name of a session', (_, label, why) => {
  expect(labelFault(label)).toContain(why);
});

test.each([
  'release',
  'Weekly notes',
  'x'.repeat(40),
  'Übersicht 2',
  '週報',
  '🚀'.repeat(40),
  '0123456789ab.',
  'ops:one',
])('%s is one', (label) => {
  expect(labelFault(label)).toBeUndefined();
});

test('a name is kept in one way of writing it', () => {
  expect(labelOf('  Weekly   notes ')).toBe('Weekly notes');
  expect(labelOf('U\u0308')).toBe('\u00dc');
  expect(labelOf('   ')).toBe('');
});

const label = (session: Session, text?: string): SessionEvent[] => {
  const decision = decide(
    session,
    { type: 'session.label', ...(text !== undefined && { label: text }) },
    { queued: 3 },
  );
  return 'events' in decision ? [...decision.events] : [];
};
const after = (session: Session, ...events: SessionEvent[]): Session =>
  events.reduce((state, event) => evolve(state, event, 0), session);

test('a name is given, changed and taken, and what changes nothing is no event', () => {
  const bare = emptySession('s');
  const called = after(bare, ...label(bare, 'release'));
  expect(called.label).toBe('release');
  expect(label(called, 'release')).toEqual([]);
  expect(after(called, ...label(called, 'other')).label).toBe('other');
  const taken = after(called, ...label(called));
  expect(taken).toEqual(bare);
  expect(label(taken)).toEqual([]);
});

test.each([{ forget: true as const }, {}])(
  'a session that is removed (%j) leaves its name to nobody',
  (how) => {
    const removed = after(emptySession('s'), ...label(emptySession('s'), 'release'), {
      type: 'session.removed',
      ...how,
    });
    expect(removed.label).toBe('forget' in how ? undefined : 'release');
    expect(after(removed, { type: 'session.opened', ingress: 'openai' }).label).toBeUndefined();
  },
);
