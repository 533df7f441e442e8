import { defineConfig } from 'vitest/config';

/** The tests of the module that scripts/test-mutants.ts is at: an unnoticed mutant runs all of them. */
const include = (process.env.MUTANT_TESTS ?? '').split(',');

/** What waits for good must not hold up the run: the slowest of these tests takes a second. */
const testTimeout = 5_000;

export default defineConfig({
  test: {
    include,
    setupFiles: ['test/support/seeds.ts'],
    isolate: false,
    testTimeout,
    hookTimeout: testTimeout,
  },
});
