// When a host ends because nobody says that it may go on, told by clocks that the test moves: one of timers, and one that
// counts the time in which the machine was suspended as well.
import { expect, test } from 'vitest';
import { Lease } from '../../src/host/lease.ts';
import { ManualClock } from '../support/manual-clock.ts';

class Machine {
  readonly clock = new ManualClock();
  #suspended = 0;
  over = 0;
  readonly lease = new Lease({
    clock: this.clock,
    uptime: () => this.uptime,
    over: () => {
      this.over += 1;
    },
  });

  get uptime(): number {
    return this.clock.now() + this.#suspended;
  }

  suspend(ms: number): void {
    this.#suspended += ms;
  }
}

test('before one is said there is none, and no timer', () => {
  const machine = new Machine();
  expect(machine.clock.timers).toBe(0);
  machine.lease.renew(undefined);
  expect([machine.clock.timers, machine.over]).toEqual([0, 0]);
});

test.each([20, 10_000])('one of %d ms runs out after that, and not before', (ms) => {
  const machine = new Machine();
  machine.lease.renew(ms);
  machine.clock.advance(ms - 1);
  expect(machine.over).toBe(0);
  machine.clock.advance(1);
  expect(machine.over).toBe(1);
});

test('said again, it lasts from then on, longer or shorter', () => {
  const machine = new Machine();
  machine.lease.renew(10_000);
  machine.clock.advance(9_999);
  machine.lease.renew(10_000);
  machine.clock.advance(9_999);
  machine.lease.renew(1_000);
  machine.clock.advance(999);
  expect(machine.over).toBe(0);
  machine.clock.advance(1);
  expect(machine.over).toBe(1);
});

test('one that is lifted leaves no timer', () => {
  const machine = new Machine();
  machine.lease.renew(10_000);
  machine.lease.renew(undefined);
  expect(machine.clock.timers).toBe(0);
  machine.clock.advance(1_000_000);
  expect(machine.over).toBe(0);
});

test.each([0, -1])('one of %d ms has run out', (ms) => {
  const machine = new Machine();
  machine.lease.renew(ms);
  expect([machine.over, machine.clock.timers]).toEqual([1, 0]);
});

test('the time in which the machine was suspended counts, and is seen within half a second', () => {
  const machine = new Machine();
  machine.lease.renew(60_000);
  machine.clock.advance(1_100);
  machine.suspend(58_899);
  machine.clock.advance(0);
  expect(machine.over).toBe(0);
  machine.suspend(3_600_000);
  machine.clock.advance(500);
  expect(machine.over).toBe(1);
});

test.each([
  ['renewed', 60_000],
  ['lifted', undefined],
])('one that ran out while the machine was suspended is not %s by what comes then', (_, ms) => {
  const machine = new Machine();
  machine.lease.renew(60_000);
  machine.suspend(60_000);
  machine.lease.renew(ms, 30_000);
  expect([machine.over, machine.clock.timers]).toEqual([1, 0]);
});

test('it counts from when it was said, where that is known: it may have waited to be heard', () => {
  const machine = new Machine();
  machine.lease.renew(60_000);
  const said = machine.uptime;
  machine.suspend(40_000);
  machine.lease.renew(60_000, said);
  machine.clock.advance(19_999);
  expect(machine.over).toBe(0);
  machine.clock.advance(1);
  expect(machine.over).toBe(1);
});

test('what was said by another clock counts from its receipt', () => {
  const machine = new Machine();
  machine.lease.renew(10_000, 1_000_000);
  machine.clock.advance(10_000);
  expect(machine.over).toBe(1);
});
