// When to strike: after some time, or right at something that a client just saw. Seeded.
import type { Entry } from '../history/entry.ts';
import type { History } from '../history/history.ts';

/** What lies closest to a promise: the bridge has just said so. */
const telling: readonly Entry['is'][] = ['sent', 'accepted', 'read', 'asked', 'acknowledged', 'ended'];

/** Longest wait for what a moment is about, milliseconds. */
const patienceMs = 6_000;

/** Milliseconds behind it. */
const behind = [0, 0, 0, 1, 2, 5, 15, 40];

const pick = <T>(from: readonly T[], random: () => number): T | undefined =>
  from[Math.floor(random() * from.length)];

/**
 * Calls `strike` once, in that moment: where it is an entry's own, before anybody else hears of the entry.
 * @param at which entries count; of all of them when none is named
 */
export async function atSomeMoment<T>(
  history: History,
  random: () => number,
  strike: () => T,
  at: readonly Entry['is'][] = telling,
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const byTime = at === telling && random() < 0.35;
  const wanted = pick(at, random);
  let left = at === telling ? 1 + Math.floor(random() * 3) : 1;
  const after = pick(behind, random) ?? 0;
  const ms = byTime ? 200 + random() * 1_300 : patienceMs;
  let struck = false;
  const now = () => {
    if (struck) return;
    struck = true;
    unwatch();
    clearTimeout(timer);
    resolve(strike());
  };
  const unwatch = history.watch(({ is }) => {
    if (byTime || is !== wanted || left === 0) return;
    left -= 1;
    if (left > 0) return;
    if (after === 0) now();
    else setTimeout(now, after);
  });
  const timer = setTimeout(now, ms);
  return promise;
}
