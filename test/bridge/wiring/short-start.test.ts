import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';
import { House } from './house.ts';

test('a start that folds from the newest snapshot on knows what the bridge before knew', async () => {
  const first = new House(tempDir());
  for (let n = 0; first.opened.journal.last < 2_000; n += 1) first.say(`chat ${n % 4}`, `question ${n}`);
  for (let n = 0; n < 4; n += 1) first.exit(`chat ${n}`);
  first.remove('chat 3', true);
  await first.opened.journal.durable(first.opened.journal.last);
  const rows = first.opened.journal.last;
  const { state } = first;
  first.start();
  await until('a snapshot', () => first.opened.journal.last > rows);
  const next = await first.again();
  // The house, and each conversation that is left.
  expect([next.opened.base, next.folded]).toEqual([rows, 4]);
  expect(next.state).toEqual(first.state);
  expect(next.state).not.toEqual(state);
  next.say('chat 0', 'and now?');
  const last = await next.again();
  expect(last.folded).toBe(next.opened.journal.last - rows);
  expect(last.state).toEqual(next.state);
});
