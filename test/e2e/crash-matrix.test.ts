// The short form of `npm run test:crash`: a few strikes a row, the same ones each time. See docs/reference/crash-matrix.md.
import { expect, test } from 'vitest';
import { rows } from '../../crash/rows.ts';
import { runRow } from '../../crash/run-row.ts';

/** One for each road to Claude, where the row has none: even by its terminal, odd by its channel. */
const seeds = [20_261_122, 20_261_123];

const short = rows.flatMap((row, at) =>
  row.short === undefined ? [] : [{ row, kills: row.short, seed: seeds[at % 2] ?? 0 }],
);

test.concurrent.each(short)('$row.name, $kills times', async ({ row, kills, seed }) => {
  const { violations, kills: struck } = await runRow(row, { seed, kills, lateMs: 60_000 });
  expect(violations, `npm run test:crash -- --row ${row.name} --seed ${seed} --kills ${kills}`).toEqual([]);
  expect(struck).toBe(kills);
});
