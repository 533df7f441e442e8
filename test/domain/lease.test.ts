// Who types into Claude's own terminal: over any history one holder at a time, and none that has gone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallerCommand } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, type Session } from '../../src/domain/state/session.ts';

const limits = { queued: 3 };
const lease = fc.constantFrom('d1', 'd2', 'd3');
const command: fc.Arbitrary<CallerCommand> = fc.oneof(
  lease.map((id) => ({ type: 'lease.take' as const, lease: id, by: `pid of ${id}` })),
  lease.map((id) => ({ type: 'lease.release' as const, lease: id, why: 'left' })),
  fc.constant({ type: 'session.recover' as const }),
);

function apply(session: Session, given: CallerCommand): { session: Session; refused: boolean } {
  const decision = decide(session, given, limits);
  if ('rejection' in decision) return { session, refused: true };
  return {
    session: decision.events.reduce((state, event) => evolve(state, event, 0), session),
    refused: false,
  };
}

test('a lease is taken by one, given back by that one only, and free after a restart', () => {
  fc.assert(
    fc.property(fc.array(command), (commands) => {
      let session = emptySession('k');
      let holder: string | undefined;
      for (const each of commands) {
        const { session: next, refused } = apply(session, each);
        if (each.type === 'lease.take') {
          expect(refused).toBe(holder !== undefined && holder !== each.lease);
          holder ??= each.lease;
        } else if (
          each.type === 'session.recover' ||
          (each.type === 'lease.release' && each.lease === holder)
        ) {
          holder = undefined;
        }
        session = next;
        expect(session.lease?.id).toBe(holder);
      }
    }),
  );
});

test('Claude Code is wanted only where it does not run', () => {
  const stopped: Session = {
    ...emptySession('k'),
    claude: { id: 'c', launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' }, prompted: true },
  };
  const start = { type: 'session.start', by: 'the operator' } as const;
  const { session, refused } = apply(stopped, start);
  expect([refused, session.agent.name]).toEqual([false, 'starting']);
  expect(apply(session, start).refused).toBe(true);
  // A session of which nothing but the name is known has no conversation to go on with.
  expect(apply(emptySession('k'), start).refused).toBe(true);
});
