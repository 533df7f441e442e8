import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldRows, inRuns } from '../../../src/bridge/app/fold-rows.ts';
import { evolve } from '../../../src/domain/state/evolve.ts';
import { emptySession } from '../../../src/domain/state/session.ts';
import type { JournalRow, SessionEvent } from '../../../src/protocol/events/events.ts';
import { anyHistory } from '../../domain/any-event.ts';
import { runs } from '../../support/runs.ts';

const texts: fc.Arbitrary<SessionEvent[]> = fc
  .record({ turn: fc.constantFrom('turn1', 'turn2'), first: fc.nat(3), heard: fc.option(fc.nat(9)) })
  .chain(({ turn, first, heard }) =>
    fc.array(fc.string({ maxLength: 5 }), { maxLength: 6 }).map((pieces) =>
      pieces.map(
        (text, at): SessionEvent => ({
          type: 'answer.delta',
          turn,
          message: 'message1',
          index: first + at,
          text,
          final: false,
          ...(heard !== null && { heard: heard + at }),
        }),
      ),
    ),
  );

test('rows that are folded at once lead to where they lead one after the other', () => {
  const history = fc.array(
    fc.oneof(
      texts,
      anyHistory.map((events) => events.slice(0, 4)),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(history, (parts) => {
      const events = [
        { type: 'turn.queued', turn: 'turn1', ingress: 'openai', text: 'a', meta: {} } as const,
        ...parts.flat(),
      ];
      const all = foldRows(
        emptySession('s'),
        events.map((event, at) => ({ event, at })),
      );
      const each = events.reduce((state, event, at) => evolve(state, event, at), emptySession('s'));
      expect(all).toStrictEqual(each);
    }),
    { numRuns: runs(100) },
  );
});

test('rows come in runs of one session, all of them in order, and no run is long', () => {
  const keys = ['a', 'a', 'b', 'a', ...Array<string>(300).fill('c'), 'a'];
  const rows = keys.map((session, n): JournalRow => {
    return { seq: n + 1, at: 0, session, event: { type: 'turn.running', turn: 't' } };
  });
  const found = [...inRuns(rows)];
  expect(found.flat()).toEqual(rows);
  expect(found.map((run) => [run[0].session, run.length])).toEqual([
    ['a', 2],
    ['b', 1],
    ['a', 1],
    ['c', 128],
    ['c', 128],
    ['c', 44],
    ['a', 1],
  ]);
  expect([...inRuns([])]).toEqual([]);
});
