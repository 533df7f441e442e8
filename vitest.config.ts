import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/ci/longest-first.ts';

/** Unit tests that are too long for `npm run check`: files that take half a second and more. */
const long = ['test/texts/**/*.test.ts', 'test/**/*.long.test.{ts,tsx}'];

/** Programs that are started from their sources, hundreds of times, keep what was compiled, as the built ones do by themselves. */
const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };

export default defineConfig({
  test: {
    // Most end-to-end tests wait for other programs: one file keeps about half a processor busy, and there are two.
    maxWorkers: 4,
    fsModuleCache: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/support/seeds.ts'],
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**', 'test/real/**', ...long, '**/node_modules/**'],
          // Nothing here keeps state in a module, and loading them once for each worker instead of each file halves the time.
          isolate: false,
          // A limit against hanging, not a measure: the machine may be busy with other things.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'long',
          env,
          setupFiles: ['test/support/seeds.ts'],
          include: long,
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          env,
          // As above: half a second of a processor for each file.
          isolate: false,
          setupFiles: ['test/support/seeds.ts'],
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'real',
          include: ['test/real/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          // As above: the peers start a program for every message, and two files at a time share the processors.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // The peers of a file keep up to one processor busy. A third file at a time makes each take as much longer (measured).
          maxWorkers: 2,
          // vitest runs projects with unlike numbers of workers one after the other, and wants to be told in which order.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
