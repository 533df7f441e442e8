import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, keptResponses, type Session } from '../../src/domain/state/session.ts';
import { Text } from '../../src/domain/state/text.ts';
import { packSession, unpackSession } from '../../src/domain/views/snapshot.ts';
import { SessionEvent } from '../../src/protocol/events/events.ts';
import { evolved } from './evolved.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

/** What may happen around responses; `n` names turns and responses. */
const happening = fc.oneof(
  fc.record({
    what: fc.constantFrom('open', 'close', 'delete', 'submit', 'operator', 'adopt', 'renew'),
    n: fc.nat(60),
  }),
  fc.record({ what: fc.constant('remove'), n: fc.constant(0) }),
);

function commandOf({ what, n }: { what: string; n: number }): Command {
  const [response, turn] = [`r${n}`, `t${n}`];
  switch (what) {
    case 'open':
      return { type: 'response.open', response, turn, model: 'claude', input: [{ text: `in ${n}` }] };
    case 'close':
      return { type: 'response.close', response, text: `out ${n}`, calls: [] };
    case 'delete':
      return { type: 'response.delete', response };
    case 'adopt':
      return { type: 'prompt.foreign', turn, prompt: turn, text: 'typed' };
    case 'renew':
      return { type: 'session.renew', claude: `c${n}`, launch };
    case 'remove':
      return { type: 'session.remove' };
    default:
      return {
        type: 'turn.submit',
        turn,
        claude: 'c',
        launch,
        ingress: what === 'submit' ? 'openai' : 'operator',
        text: turn,
      };
  }
}

test('the newest response is the last one that was opened and after which nobody said or began anything', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 120 }), (happenings) => {
      let session = emptySession('k');
      const journal: SessionEvent[] = [];
      let expected: string | undefined;
      for (const command of happenings.map(commandOf)) {
        const decision = decide(session, command, { queued: 5 });
        const events = 'events' in decision ? decision.events : [];
        for (const event of events) {
          session = evolve(session, event, 7);
          if (event.type === 'response.opened') expected = event.response;
          const ends = event.type === 'session.claude' || event.type === 'session.removed';
          if (ends || (event.type === 'turn.queued' && event.ingress === 'openai')) expected = undefined;
        }
        journal.push(...events);
        expect(session.newest).toBe(expected);
      }
      const ids = session.responses.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeLessThanOrEqual(keptResponses);
      if (expected !== undefined) expect(ids).toContain(expected);
      expect(replayed(journal)).toEqual(session);
    }),
  );
});

const replayed = (journal: readonly SessionEvent[]): Session =>
  journal
    .map((event) => SessionEvent.parse(JSON.parse(JSON.stringify(event))))
    .reduce((state, event) => evolve(state, event, 7), emptySession('k'));

const after = (...commands: { what: string; n: number }[]): Session =>
  commands.map(commandOf).reduce((before, command) => {
    const decision = decide(before, command, { queued: 5 });
    return 'events' in decision
      ? decision.events.reduce((state, event) => evolve(state, event, 7), before)
      : before;
  }, emptySession('k'));

test('what a response said is said once, and is gone when it is deleted', () => {
  const given = after({ what: 'open', n: 1 }, { what: 'close', n: 1 }, { what: 'open', n: 1 });
  expect(given.responses).toMatchObject([
    { id: 'r1', said: { text: Text.of('out 1') }, input: [{ text: 'in 1' }] },
  ]);
  const deleted = after({ what: 'open', n: 1 }, { what: 'close', n: 1 }, { what: 'delete', n: 1 });
  expect(JSON.stringify(deleted.responses)).not.toMatch(/out 1|in 1/);
  expect(deleted.responses).toMatchObject([{ id: 'r1', deleted: true }]);
});

test('a response that said just the answer keeps it once, and any other what it said', () => {
  const base = evolved({});
  const events: SessionEvent[] = [
    { type: 'answer.delta', turn: 't', message: 'm', index: 0, text: 'the answer', final: true },
    { type: 'response.opened', response: 'r1', turn: 't', model: 'm', input: [] },
    { type: 'response.opened', response: 'r2', turn: 't', model: 'm', input: [] },
    { type: 'response.closed', response: 'r1', text: 'the answer', calls: [] },
    { type: 'response.closed', response: 'r2', text: 'the answer, and words', calls: [] },
  ];
  const { turns, responses } = events.reduce((state, event) => evolve(state, event, 7), base);
  expect(responses[0]?.said?.text).toBe(turns[0]?.answer.text);
  expect(String(responses[1]?.said?.text)).toBe('the answer, and words');
});

test('operators get sessions without their responses', () => {
  const packed = packSession(after({ what: 'open', n: 1 }, { what: 'close', n: 1 }));
  expect(JSON.stringify(packed)).not.toContain('out 1');
  expect(unpackSession(packed).responses).toEqual([]);
});
