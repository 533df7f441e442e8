// The short form of `npm run soak`. Of memory it says little: that needs the long one.
import { expect, test } from 'vitest';
import { grown } from '../../soak/sample.ts';
import { soak } from '../../soak/soak.ts';

test('8 sessions whose clients come and go leave no connection, timer, file or memory behind', async () => {
  const { samples, texts, reconnects, incomplete } = await soak({
    sessions: 8,
    texts: 1_600,
    reconnects: 100,
    seed: 20_261_122,
  });
  expect([texts, incomplete]).toEqual([1_600, 0]);
  expect(reconnects).toBeGreaterThan(50);
  expect(grown(samples.warm, samples.end)).toEqual([]);
});
