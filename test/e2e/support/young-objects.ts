// Loaded in front of a program (`--import`): at SIGUSR2 it makes a million objects that live, and writes into the file
// YOUNG_SPACE how large V8's room for young ones was before, and is now.
import { writeFileSync } from 'node:fs';
import { getHeapSpaceStatistics } from 'node:v8';

const youngBytes = (): number =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? Number.NaN;

const alive: unknown[] = [];

process.on('SIGUSR2', () => {
  const before = youngBytes();
  for (let n = 0; n < 1_000_000; n += 1) alive.push({ n, text: `object ${n}` });
  writeFileSync(process.env.YOUNG_SPACE ?? '', JSON.stringify({ before, after: youngBytes() }));
});
