// How many connections may sit there: many for a moment, few for long.
import { describe, expect, test } from 'vitest';
import { IdleLimit } from '../../src/base/net/idle-limit.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A limit of 2 with a grace of 100 ms and a cap of 5, and whom it has ended. */
function limited() {
  const clock = new ManualClock();
  const ended: string[] = [];
  const limit = new IdleLimit<string>(
    { most: 2, graceMs: 100, cap: 5 },
    (connection) => ended.push(connection),
    clock,
  );
  const add = (...names: string[]) => names.forEach((name) => void limit.add(name));
  return { clock, ended, limit, add };
}

describe('connections that have nothing under way', () => {
  test('all stay for the grace, however many come at once, and then those that came first go', () => {
    const { clock, ended, add } = limited();
    add('a', 'b', 'c', 'd');
    clock.advance(99);
    expect(ended).toEqual([]);
    clock.advance(1);
    expect(ended).toEqual(['a', 'b']);
    clock.advance(10_000);
    expect(ended).toEqual(['a', 'b']);
  });

  test('have their own grace each', () => {
    const { clock, ended, add } = limited();
    add('a', 'b', 'c');
    clock.advance(60);
    add('d', 'e');
    clock.advance(40);
    // Of five three have had their time, and three are too many.
    expect(ended).toEqual(['a', 'b', 'c']);
    add('f', 'g');
    clock.advance(60);
    expect(ended).toEqual(['a', 'b', 'c', 'd', 'e']);
    clock.advance(1_000);
    expect(ended).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('are ended at once where there are more than the cap, those that came first', () => {
    const { ended, add } = limited();
    add('a', 'b', 'c', 'd', 'e', 'f', 'g');
    expect(ended).toEqual(['a', 'b']);
  });

  test('are not ended once they have done something, and begin anew with nothing to do', () => {
    const { clock, ended, limit, add } = limited();
    add('a', 'b', 'c', 'd');
    limit.delete('a');
    expect([limit.has('a'), limit.has('b')]).toEqual([false, true]);
    clock.advance(50);
    add('b');
    clock.advance(50);
    expect(ended).toEqual(['c']);
    clock.advance(1_000);
    expect(ended).toEqual(['c']);
  });

  test('are looked at only while there are too many, and never after the end', () => {
    const { clock, ended, limit, add } = limited();
    add('a', 'b');
    expect(clock.timers).toBe(0);
    add('c', 'd');
    expect(clock.timers).toBe(1);
    limit.close();
    limit.close();
    expect(clock.timers).toBe(0);
    clock.advance(1_000);
    expect(ended).toEqual([]);
  });
});
