import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  hangs,
  type ProviderHealth,
  restartDelay,
  type Sighting,
  seen,
  unknownHealth,
} from '../../src/domain/tools/provider-health.ts';
import { runs } from '../support/runs.ts';

const after = (...sightings: Sighting[]): ProviderHealth => sightings.reduce(seen, unknownHealth);
const well: Sighting = { type: 'answered', ms: 1 };

const sighting: fc.Arbitrary<Sighting> = fc.oneof(
  fc.constant<Sighting>({ type: 'started' }),
  fc.constant<Sighting>({ type: 'start_failed', why: 'broken' }),
  fc.constant<Sighting>({ type: 'ended', why: 'gone' }),
  fc.record({ type: fc.constant('answered' as const), ms: fc.integer({ min: 0, max: 900 }) }),
  fc.constant<Sighting>({ type: 'answered', ms: 1, own: { status: 'degraded', reason: 'no index' } }),
  fc.constant<Sighting>({ type: 'missed' }),
  fc.constant<Sighting>({ type: 'worked' }),
  fc.constant<Sighting>({ type: 'garbled' }),
);

test('whatever was seen, a start and four quick answers make it healthy, and only then it has no reason', () => {
  fc.assert(
    fc.property(fc.array(sighting, { maxLength: 40 }), (history) => {
      const health = after(...history);
      expect(health.reason === null).toBe(health.status === 'healthy');
      expect(after(...history, { type: 'started' }, well, well, well, well).status).toBe('healthy');
      expect(seen(health, { type: 'ended', why: 'gone' }).status).not.toBe('healthy');
    }),
    { numRuns: runs(500) },
  );
});

test('one end is degraded, a second one before it was steady is unavailable', () => {
  const once = after({ type: 'started' }, well, { type: 'ended', why: 'gone' });
  expect(once).toMatchObject({ status: 'degraded', reason: 'gone' });
  expect(after({ type: 'started' }, { type: 'ended', why: 'a' }, { type: 'started' }, well).status).toBe(
    'healthy',
  );
  const twice = seen(seen(once, { type: 'started' }), { type: 'ended', why: 'gone' });
  expect(twice.status).toBe('unavailable');
  const steady = [{ type: 'started' }, well, well, well].reduce(
    (health, each) => seen(health, each as Sighting),
    once,
  );
  expect(seen(steady, { type: 'ended', why: 'gone' }).status).toBe('degraded');
});

test('three misses in a row hang; a call that is answered meanwhile proves that it does not', () => {
  const missed: Sighting = { type: 'missed' };
  expect(hangs(after({ type: 'started' }, missed, missed, missed))).toBe(true);
  expect(hangs(after({ type: 'started' }, missed, missed, { type: 'worked' }, missed))).toBe(false);
});

test('its own word is believed as far as it is worse', () => {
  const own = { status: 'healthy', reason: 'fine' } as const;
  expect(after({ type: 'started' }, { type: 'garbled' }, { type: 'answered', ms: 1, own }).status).toBe(
    'degraded',
  );
});

test('the pause grows from a quarter of a second to four, and to thirty after two minutes', () => {
  const delay = (failures: number) => restartDelay({ ...unknownHealth, failures });
  expect([0, 1, 2, 3, 4, 5, 6, 30].map(delay)).toEqual([250, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  expect(delay(31)).toBe(30_000);
});
