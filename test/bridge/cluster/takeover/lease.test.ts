// For how long a node goes on without a record of its own, by a clock that counts suspension, too.
import { expect, test } from 'vitest';
import { Lease } from '../../../../src/bridge/cluster/takeover/lease.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

function leased() {
  const clock = new ManualClock();
  const told: string[] = [];
  let suspended = 0;
  const lease = new Lease({
    leaseMs: 30_000,
    ended: () => told.push('ended'),
    renewed: (ms) => told.push(`renewed for ${ms}`),
    clock,
    boot: () => clock.now() + suspended,
  });
  const suspend = (ms: number) => {
    suspended += ms;
  };
  return { lease, clock, told, suspend };
}

test('it holds for two thirds of its time from when the record was begun, and ends once', () => {
  const { lease, clock, told } = leased();
  expect(lease.left).toBe(undefined);
  clock.advance(5_000);
  lease.renew(4_000);
  expect(lease.left).toBe(19_000);
  clock.advance(18_999);
  expect(told).toEqual(['renewed for 19000']);
  clock.advance(1);
  expect([told.at(-1), lease.left]).toEqual(['ended', 0]);
  clock.advance(100_000);
  expect([told.length, clock.timers]).toEqual([2, 0]);
});

test('it goes on as long as records are written, and again after it ended', () => {
  const { lease, clock, told } = leased();
  for (let n = 0; n < 20; n += 1) {
    lease.renew(clock.now());
    clock.advance(19_999);
  }
  expect([told.includes('ended'), clock.timers]).toEqual([false, 1]);
  clock.advance(1);
  lease.renew(clock.now());
  expect(told.slice(-2)).toEqual(['ended', 'renewed for 20000']);
  clock.advance(20_000);
  expect(told.filter((each) => each === 'ended')).toHaveLength(2);
});

test('of a machine that was suspended it ends before it is renewed', () => {
  const { lease, told, suspend } = leased();
  lease.renew(0);
  suspend(20_000);
  lease.renew(lease.now);
  expect(told).toEqual(['renewed for 20000', 'ended', 'renewed for 20000']);
});

test('of a machine that was suspended it ends soon, although its timers stood still', () => {
  const { lease, clock, told, suspend } = leased();
  lease.renew(0);
  clock.advance(1_000);
  suspend(60_000);
  clock.advance(250);
  expect(told.at(-1)).toBe('ended');
});

test('a record that took longer than it would hold renews nothing', () => {
  const { lease, clock, told } = leased();
  clock.advance(20_000);
  lease.renew(0);
  expect([told, clock.timers]).toEqual([[], 0]);
});

test('nothing is told any more once it is closed', () => {
  const { lease, clock, told } = leased();
  lease.renew(0);
  lease.close();
  clock.advance(60_000);
  lease.renew(60_000);
  expect(told).toEqual(['renewed for 20000']);
});
