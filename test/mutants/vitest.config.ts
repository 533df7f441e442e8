import { defineConfig } from 'vitest/config';

/** The tests of the module that scripts/test-mutants.ts is at: an unnoticed mutant runs all of them. */
const include = (process.env.MUTANT_TESTS ?? '').split(',');

export default defineConfig({
  test: { include, setupFiles: ['test/support/seeds.ts'], isolate: false, testTimeout: 30_000 },
});
