// Loaded in front of a program (`--import`, with `--expose-gc`), subject or reference: for each line that it is sent it
// tells what it holds, bytes.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

createInterface({ input: process.stdin }).on('line', async () => {
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc?.();
    await delay(10);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify({ rss, live: heapUsed + external }));
});
