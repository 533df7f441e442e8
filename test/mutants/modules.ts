const policy = (...names: string[]) => names.map((name) => `src/domain/policy/${name}.ts`);
const policyTests = [
  'test/domain/policy/judge.test.ts',
  'test/domain/policy/commands.test.ts',
  'test/domain/policy/known.test.ts',
  'test/domain/policy/places.test.ts',
  'test/domain/policy/fields.test.ts',
  'test/domain/policy/hosts.test.ts',
  'test/domain/policy/meaning.test.ts',
  'test/domain/policy/open-files.test.ts',
];

/** What `npm run test:mutants` breaks on purpose, and the tests that have to notice. To add a module, add a line. */
export const modules: Readonly<Record<string, { mutate: readonly string[]; tests: readonly string[] }>> = {
  guard: {
    mutate: ['src/base/net/guard.ts'],
    tests: ['test/base/check-origin.test.ts', 'test/bridge/http/guard.long.test.ts'],
  },
  verdict: { mutate: ['src/domain/question/verdict.ts'], tests: ['test/domain/verdict.test.ts'] },
  desk: {
    mutate: ['src/bridge/app/desks/verdict-desk.ts'],
    tests: ['test/bridge/app/verdict-desk*.test.ts'],
  },
  decision: {
    mutate: ['src/domain/decide/decide-permission.ts'],
    tests: ['test/domain/decide-permission.test.ts', 'test/bridge/app/policy-verdicts.test.ts'],
  },
  approvers: {
    mutate: ['src/domain/question/approvers.ts'],
    tests: ['test/domain/approvers.test.ts', 'test/bridge/app/voices.test.ts'],
  },
  dialect: { mutate: ['src/domain/question/dialect.ts'], tests: ['test/domain/question/words.test.ts'] },
  question: {
    mutate: ['src/domain/question/*.ts', '!src/domain/question/dialect.ts'],
    // Not rendered.long.test.ts, which would take most of the time: its readers see what harms, these see every difference.
    tests: [
      'test/domain/question/exact.test.ts',
      'test/domain/question/words.test.ts',
      'test/domain/permission-words.test.ts',
    ],
  },
  policy: {
    mutate: policy(
      'call',
      'covers',
      'defaults',
      'explain',
      'fits',
      'judge',
      'near-miss',
      'review',
      'ruling',
      'units',
    ).concat('src/protocol/settings/policy.ts'),
    tests: ['test/domain/policy/*.test.ts', 'test/protocol/policy.test.ts'],
  },
  meanings: {
    mutate: policy(
      'input-commands',
      'meaning/by-name',
      'meaning/by-schema',
      'meaning/leaves',
      'meaning/read-input',
      'meaning/table',
    ),
    tests: policyTests,
  },
  // Not the tables of what is known, which decide nothing by themselves: known.test.ts has an example of each row.
  commands: {
    mutate: policy(
      'match/match-command',
      'match/removal',
      'programs/{find,git-reach,known,name,options,reach,runners,scripted,scripts,special,suite-reach,variables}',
      'shell',
      'shell-word',
    ),
    tests: policyTests,
  },
  places: {
    mutate: policy(
      'match/glob',
      'match/host-of',
      'match/input-host',
      'match/command-host',
      'match/match-path',
      'file-url',
      'open-files',
      'spelling',
      'input-paths',
      'command-paths',
      'place',
    ),
    tests: policyTests,
  },
  secrets: {
    // Not what is data: words that keep nothing, and shapes of tokens, of each of which published-kinds.test.ts has one.
    mutate: [
      'src/secrets/**/*.ts',
      '!src/secrets/passwords/plain-words.ts',
      '!src/secrets/tokens/*-tokens.ts',
    ],
    // Not the one of costs, which takes longer than a mutant may.
    tests: ['test/secrets/!(*.long).test.ts', 'test/secrets/outgoing/*.test.ts'],
  },
  hooks: {
    mutate: [
      'src/base/secret.ts',
      'src/host/hooks/hook-door.ts',
      'src/bridge/claude/channel/channel-server.ts',
      'src/bridge/claude/run-identity.ts',
      'src/bridge/ingress/openai/admission.ts',
      'src/base/net/idle-limit.ts',
      'src/base/net/strangers.ts',
    ],
    tests: [
      'test/base/idle-limit.test.ts',
      'test/host/hook-door.test.ts',
      'test/bridge/http/token.long.test.ts',
      'test/bridge/claude/channel/channel-server.test.ts',
      'test/bridge/claude/run-identity.long.test.ts',
    ],
  },
  // Not control-server.ts: it sets the umask, which a worker of the mutation tester cannot.
  control: {
    mutate: ['src/base/files/own-path.ts', 'src/base/net/socket-path.ts'],
    tests: ['test/base/own-path.test.ts'],
  },
  safe: {
    mutate: [
      'src/base/text/marker.ts',
      'src/base/text/escape-units.ts',
      'src/domain/safe-text.ts',
      'src/cli/output/safe.ts',
    ],
    tests: ['test/cli/safe*.test.ts', 'test/domain/safe-text.test.ts'],
  },
  codes: {
    mutate: ['src/bridge/app/desks/codes.ts', 'src/bridge/app/desks/guesses.ts'],
    tests: ['test/bridge/app/permission-codes.test.ts', 'test/bridge/app/guesses.test.ts'],
  },
  // Not what ends a turn and gates a call: settle.ts, evolve-turn.ts and decide-tool.ts have long tests of whole histories.
  turns: {
    mutate: [
      'src/domain/decide/{completed,decide-answer,decide-join,decide-reset,decide-task,tasks-lost,whose}.ts',
      'src/domain/state/{broken-invariant,errands,evolve-task,turn}.ts',
      'src/bridge/claude/turn/{errand,open-tools,task,tool-activity,translate,turns,written-end}.ts',
      'src/bridge/claude/delivery/{turn-watch,unreported-end}.ts',
    ],
    // Without the recordings, which would take most of the time: their rules are here one by one.
    tests: [
      'test/bridge/claude/turn/drawn-turns.test.ts',
      'test/bridge/claude/turn/hooked-turns.test.ts',
      'test/bridge/claude/turn/open-tools.test.ts',
      'test/bridge/claude/turn/turn-rules.test.ts',
      'test/bridge/claude/turn/turns.test.ts',
      'test/bridge/claude/turn/written-end.test.ts',
      'test/bridge/claude/hooks/foreign-message.test.ts',
      'test/bridge/claude/delivery/turn-watch.test.ts',
      'test/bridge/claude/delivery/unreported-end.test.ts',
      'test/domain/errands.test.ts',
      'test/domain/prompt-failed.test.ts',
      'test/domain/steer.test.ts',
      'test/domain/tasks.test.ts',
      'test/domain/tasks-lost.test.ts',
      'test/domain/turns/broken-invariant.test.ts',
      'test/domain/whose.test.ts',
    ],
  },
};
