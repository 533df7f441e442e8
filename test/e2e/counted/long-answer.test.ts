// A long answer with clients that read it and one that does not: the bridge's core with its real journal and HTTP door, in
// a process whose heap may not grow. `npm run bench` measures the same with longer answers.
import { expect, test } from 'vitest';
import type { Grown } from '../../../bench/harness/heap.ts';
import { fromBench, newPlace } from '../../../bench/harness/place.ts';
import { Program } from '../../../bench/harness/program.ts';
import { readTurn } from '../../../bench/harness/readers.ts';

test('an answer of 30,000 lines is read by ten clients, one of them late, for little more than its own length', async () => {
  await using place = await newPlace();
  // What it takes without an answer, and some room: a bridge that keeps more ends here.
  const node = ['--expose-gc', '--max-old-space-size=128'];
  const dir = await place.home.directory('long');
  await using bridge = await Program.start([...node, fromBench('subject/long-answer.ts'), dir], place.env);
  const at = { url: bridge.text('url'), token: bridge.text('token'), session: 'long' };
  const readers = await readTurn({ ...at, reading: 9 });
  const grown = (await bridge.ask({ lines: 30_000 }, 120_000)) as unknown as Grown & { length: number };
  expect(grown.length).toBeGreaterThan(6_000_000);
  expect(await readers.lengths()).toEqual(Array.from({ length: 10 }, () => grown.length));
  expect(grown.bytes).toBeLessThan(2 * grown.length);
});
