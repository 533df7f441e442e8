/** What `npm run test:mutants` breaks on purpose, and the tests that have to notice. To add a module, add a line. */
export const modules: Readonly<Record<string, { mutate: readonly string[]; tests: readonly string[] }>> = {
  guard: {
    mutate: ['src/bridge/http/guard.ts'],
    tests: ['test/bridge/http/check-origin.test.ts', 'test/bridge/http/guard.test.ts'],
  },
  verdict: { mutate: ['src/domain/verdict.ts'], tests: ['test/domain/verdict.test.ts'] },
  desk: { mutate: ['src/bridge/app/verdict-desk.ts'], tests: ['test/bridge/app/verdict-desk*.test.ts'] },
  decision: {
    mutate: ['src/domain/decide-permission.ts'],
    tests: ['test/domain/decide-permission.test.ts', 'test/bridge/app/policy-verdicts.test.ts'],
  },
  approvers: {
    mutate: ['src/domain/approvers.ts'],
    tests: ['test/domain/approvers.test.ts', 'test/bridge/app/voices.test.ts'],
  },
  dialect: { mutate: ['src/domain/question/dialect.ts'], tests: ['test/domain/question/words.test.ts'] },
  question: {
    mutate: ['src/domain/question/*.ts', '!src/domain/question/dialect.ts'],
    // Not rendered.test.ts, which would take most of the time: its readers see what harms, these see every difference.
    tests: [
      'test/domain/question/exact.test.ts',
      'test/domain/question/words.test.ts',
      'test/domain/permission-words.test.ts',
    ],
  },
  safe: {
    mutate: ['src/domain/safe-text.ts', 'src/cli/output/safe.ts'],
    tests: ['test/cli/safe*.test.ts', 'test/domain/safe-text.test.ts'],
  },
  codes: {
    mutate: ['src/bridge/app/codes.ts', 'src/bridge/app/guesses.ts'],
    tests: ['test/bridge/app/permission-codes.test.ts', 'test/bridge/app/guesses.test.ts'],
  },
};
