// Messages that come while Claude works: what may go into the running turn, what may stop it, and what becomes of each.
import { expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { effectsOf } from '../../src/domain/effects.ts';
import { readQueuePrefix } from '../../src/domain/message/queue-prefix.ts';
import { joinable, longestJoin, waitWords } from '../../src/domain/message/steer.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import {
  currentTurn,
  emptySession,
  findTurn,
  joiningTurns,
  type Session,
} from '../../src/domain/state/session.ts';
import { endingWords } from '../../src/domain/words/turn-words.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';
import { forEachDeepHistory } from './deep-history.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
const limits = { queued: 9 };

const submit = (turn: string, more: Partial<Extract<Command, { type: 'turn.submit' }>> = {}): Command => ({
  type: 'turn.submit',
  turn,
  claude: 'uuid',
  launch,
  ingress: 'openai',
  text: `text of ${turn}`,
  ...more,
});
const steer = (turn: string, more: object = {}) => submit(turn, { mode: 'steer', ...more });

function play(...commands: Command[]): { session: Session; events: SessionEvent[] } {
  let session = emptySession('k');
  const all: SessionEvent[] = [];
  for (const command of commands) {
    const decision = decide(session, command, limits);
    if ('rejection' in decision) throw new Error(`${command.type}: ${decision.rejection.code}`);
    for (const event of decision.events) session = evolve(session, event, 0);
    all.push(...decision.events);
  }
  return { session, events: all };
}

const refusal = (session: Session, command: Command) => {
  const decision = decide(session, command, limits);
  return 'rejection' in decision ? decision.rejection.code : undefined;
};
const joins = (session: Session) => joinable(session)?.joins.map(({ id }) => id) ?? [];
const phase = (session: Session, turn: string) => findTurn(session, turn)?.phase;
const running = [submit('a'), { type: 'prompt.taken', turn: 'a', prompt: 'p' }] satisfies Command[];
const ended: Command = { type: 'turn.rest', prompt: 'p' };

test('what goes into the running turn is settled once it is there, and Claude is not given it again', () => {
  const { session, events } = play(
    ...running,
    steer('b'),
    { type: 'prompt.joining', turn: 'b' },
    { type: 'prompt.joined', turn: 'b' },
    ended,
  );
  expect(phase(session, 'b')).toEqual({ name: 'settled', outcome: 'completed', into: 'a' });
  expect(events.flatMap(effectsOf)).toEqual([{ type: 'deliver', turn: 'a', attempt: 1 }]);
  const b = findTurn(session, 'b');
  expect(b && endingWords(b, 'k', undefined)).toBe(
    '_(Claude got your message "text of b" while it was at work: it is part of the answer that it was writing)_',
  );
});

test('what Claude certainly did not get is its next message, in its old place', () => {
  const { session } = play(
    ...running,
    steer('b'),
    submit('c'),
    { type: 'prompt.joining', turn: 'b' },
    { type: 'prompt.parted', turn: 'b' },
    ended,
  );
  expect([currentTurn(session)?.id, phase(session, 'c')]).toEqual(['b', { name: 'queued' }]);
});

test('a turn that ends without it makes it an ordinary message', () => {
  const { session } = play(...running, steer('b'), ended);
  expect(phase(session, 'b')).toEqual({ name: 'delivering', attempt: 1 });
  expect(refusal(session, { type: 'prompt.joining', turn: 'b' })).toBe('unknown_turn');
});

test.each([
  ['it waits', ended, { outcome: 'completed', into: 'a' }],
  ['an interrupt', { type: 'turn.idle', interrupted: true } as const, { outcome: 'cancelled' }],
  [
    'a death',
    { type: 'agent.exited', detail: 'x', failure: 'exited' } as const,
    { outcome: 'failed', code: 'exited' },
  ],
  ['a restart', { type: 'session.recover' } as const, { outcome: 'failed', code: 'bridge_restarted' }],
])(
  'what was on its way ends with the turn it went into, and is never given twice: %s',
  (_, end, phaseAfter) => {
    const { session, events } = play(...running, steer('b'), { type: 'prompt.joining', turn: 'b' }, end);
    expect(phase(session, 'b')).toMatchObject({ name: 'settled', ...phaseAfter });
    expect(events.filter((event) => event.type === 'turn.delivering' && event.turn === 'b')).toEqual([]);
  },
);

test('several go together, never past one that waits, and never more than Claude Code takes', () => {
  const { session } = play(...running, steer('b'), steer('c'), submit('d'), steer('e'));
  expect(joins(session)).toEqual(['b', 'c']);
  expect(refusal(session, { type: 'prompt.joining', turn: 'c' })).toBe('unknown_turn');
  const half = 'x'.repeat(longestJoin / 2 - 20);
  expect(
    joins(
      play(...running, steer('b', { text: half }), steer('c', { text: `${half}${'x'.repeat(40)}` })).session,
    ),
  ).toEqual(['b']);
  const long = play(...running, steer('b', { text: 'x'.repeat(longestJoin + 1) })).session;
  const waiting = findTurn(long, 'b');
  expect([joins(long), waiting && waitWords(long, waiting)]).toEqual([
    [],
    expect.stringContaining('too long'),
  ]);
});

const chat = (source_chat: string) => ({ source_channel: 'telegram', source_chat });

test.each([
  ['a scheduled run', [submit('a', { meta: { unattended: 'scheduled run' } })], {}, 'a scheduled run'],
  ['another chat', [submit('a', { meta: chat('1') })], chat('2'), 'a message of another chat'],
  ['another topic', [submit('a', { meta: chat('1') })], { ...chat('1'), source_thread: '7' }, 'another chat'],
  ['the operator', [submit('a', { ingress: 'operator' })], {}, 'another chat'],
  [
    'the terminal',
    [{ type: 'prompt.foreign', turn: 'a', prompt: 'p', text: 'typed' }],
    {},
    'nobody in this chat',
  ],
] satisfies [string, Command[], Record<string, string>, string][])(
  'no message goes into, or stops, the turn of somebody else: %s',
  (_, before, meta, words) => {
    const first = before[0]?.type === 'turn.submit' ? [...before, running[1] as Command] : before;
    const steered = play(...first, steer('b', { meta })).session;
    const waiting = findTurn(steered, 'b');
    expect([joins(steered), waiting && waitWords(steered, waiting)]).toEqual([
      [],
      expect.stringContaining(words),
    ]);
    const stopped = play(...first, submit('b', { meta, mode: 'interrupt' })).session;
    expect(currentTurn(stopped)).not.toHaveProperty('cancelledBy');
  },
);

test.each([
  ['another member of the group', { sender: { id: '2' } }],
  ['nobody that is known', {}],
  ['several', { sender: { id: '1' }, meta: { writers: 'several' } }],
])('nobody else puts words into the turn of a writer, but may stop it: %s', (_, more) => {
  const first = [submit('a', { sender: { id: '1' } }), running[1] as Command];
  const { session } = play(...first, steer('b', more));
  const waiting = findTurn(session, 'b');
  expect([joins(session), waiting && waitWords(session, waiting)]).toEqual([
    [],
    expect.stringContaining('somebody else'),
  ]);
  expect(joins(play(...first, steer('b', { sender: { id: '1' } })).session)).toEqual(['b']);
  expect(currentTurn(play(...first, submit('b', { ...more, mode: 'interrupt' })).session)).toHaveProperty(
    'cancelledBy',
  );
});

test('a turn that is being stopped, or not with Claude yet, takes nothing in', () => {
  expect(joins(play(submit('a'), steer('b')).session)).toEqual([]);
  expect(joins(play(...running, steer('b'), { type: 'turn.cancel', turn: 'a', by: 'x' }).session)).toEqual(
    [],
  );
});

test('whoever stops what has gone into a turn stops that turn', () => {
  const { session } = play(
    ...running,
    steer('b'),
    { type: 'prompt.joining', turn: 'b' },
    { type: 'turn.cancel', turn: 'b', by: 'x' },
  );
  expect(currentTurn(session)).toMatchObject({ id: 'a', cancelledBy: 'x' });
});

test('an interrupt stops the turn in words, keeps the order, and is handed over once it is over', () => {
  const { session, events } = play(...running, submit('b'), submit('c', { mode: 'interrupt' }), {
    type: 'turn.idle',
    interrupted: true,
  });
  const a = findTurn(session, 'a');
  expect(a && endingWords(a, 'k', undefined)).toContain('stopped for a newer message');
  expect([currentTurn(session)?.id, phase(session, 'c')]).toEqual(['b', { name: 'queued' }]);
  expect(events.flatMap(effectsOf).map(({ type }) => type)).toEqual(['deliver', 'interrupt', 'deliver']);
});

test('an interrupt stops nothing that Claude has not seen: that would be lost', () => {
  const { session } = play(submit('a'), submit('b', { mode: 'interrupt' }));
  const waiting = findTurn(session, 'b');
  expect(currentTurn(session)).not.toHaveProperty('cancelledBy');
  expect(waiting && waitWords(session, waiting)).toContain('has not seen the message before');
  const handed = play(submit('a'), { type: 'prompt.handing', turn: 'a' }, submit('b', { mode: 'interrupt' }));
  expect(currentTurn(handed.session)).toHaveProperty('cancelledBy', 'a newer message');
});

test('an interrupt where nothing runs is an ordinary message', () => {
  expect(phase(play(submit('a', { mode: 'interrupt' })).session, 'a')).toEqual({
    name: 'delivering',
    attempt: 1,
  });
});

test('whatever happens: what is on its way is on its way into the turn in flight', () => {
  forEachDeepHistory(() => ({ after }) => {
    for (const { phase: joining } of joiningTurns(after))
      expect(joining).toMatchObject({ name: 'joining', into: currentTurn(after)?.id });
  });
});

test('whatever happens: a message that has gone into a turn is never handed over, unless Claude certainly has not got it', () => {
  forEachDeepHistory(() => {
    const gone = new Set<string>();
    return ({ events }) => {
      for (const event of events) {
        if (event.type === 'turn.joining') gone.add(event.turn);
        if (event.type === 'turn.parted') gone.delete(event.turn);
        if (event.type === 'turn.delivering') expect(gone).not.toContain(event.turn);
      }
    };
  });
});

test.each([
  ['+steer go left', { mode: 'steer', text: 'go left' }],
  ['+queue\nlater', { mode: 'queue', text: 'later' }],
  ['+interrupt   stop that', { mode: 'interrupt', text: 'stop that' }],
  [' +steer go', undefined],
  ['please +steer go', undefined],
  ['> +steer go', undefined],
  ['+steer', undefined],
  ['+steering go', undefined],
  ['+Steer go', undefined],
  ['/steer go', undefined],
])('the first word of %j', (text, read) => {
  expect(readQueuePrefix(text)).toEqual(read);
});

test('what a crash left behind a hole is told after the next start, with the hole', () => {
  const piece = (index: number): Command => {
    const text = `line ${index}\n`;
    return { type: 'message.delta', prompt: 'p', message: 'm', index, text, final: index === 2 };
  };
  const { session, events } = play(...running, piece(0), piece(2), { type: 'session.recover' });
  expect(String(findTurn(session, 'a')?.answer.text)).toMatch(
    /^line 0\n\n_\(a part .* missing here.*\)_\n\nline 2\n$/,
  );
  expect(phase(session, 'a')).toMatchObject({ outcome: 'failed', code: 'bridge_restarted' });
  expect(events.at(-1)?.type).toBe('turn.settled');
});

test('a message that Claude has is part of the turn it went into, and one that it certainly has not waits again', () => {
  const joins: Command[] = [
    submit('a'),
    { type: 'prompt.taken', turn: 'a' },
    steer('b'),
    { type: 'prompt.joining', turn: 'b', hook: 7 },
  ];
  const { session, events } = play(...joins, { type: 'prompt.joined', turn: 'b' });
  expect(events).toContainEqual({ type: 'turn.joining', turn: 'b', into: 'a', hook: 7 });
  expect(findTurn(session, 'b')?.phase).toMatchObject({ name: 'settled', outcome: 'completed', into: 'a' });
  const parted = play(...joins, { type: 'prompt.parted', turn: 'b' });
  expect(findTurn(parted.session, 'b')?.phase.name).toBe('queued');
});
