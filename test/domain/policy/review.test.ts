import { describe, expect, test } from 'vitest';
import { review } from '../../../src/domain/policy/review.ts';
import { PolicyRule } from '../../../src/protocol/settings/policy.ts';

const found = (given: object[], approvers = 0) =>
  review(
    given.map((rule) => PolicyRule.parse(rule)),
    approvers,
  ).map(({ rule, words }) => `${rule}: ${words}`);

test('a policy in which every rule can decide is left alone', () => {
  const given = [
    { path: '~/.ssh', decision: 'deny' },
    { tool: 'exec', command: 'git push', decision: 'operator' },
    { tool: ['Bash', 'exec'], command: 'git', decision: 'allow' },
    { session: 'agent:*', tool: 'exec', decision: { quorum: 2 } },
  ];
  expect(found(given, 2)).toEqual([]);
});

test('a rule behind one that fits all it fits never decides, and an allow that swallows a deny is said as such', () => {
  expect(
    found([
      { tool: 'exec', decision: 'ask' },
      { tool: 'exec', command: 'rm', decision: 'deny' },
    ]),
  ).toEqual(['2: it never decides: rule 1 fits first, whatever it fits']);
  const swallowed = ['2: it never holds: rule 1 allows all of it before it could deny'];
  expect(
    found([
      { tool: '*', decision: 'allow' },
      { tool: 'write', path: '/etc', decision: 'deny' },
    ]),
  ).toEqual(swallowed);
  expect(
    found([
      { command: 'git', decision: 'allow' },
      { command: 'git push', decision: 'deny' },
    ]),
  ).toEqual(swallowed);
  expect(
    found([
      { tool: 'write', path: '/w', decision: 'allow' },
      { tool: 'write', path: '/w/x', decision: 'deny' },
    ]),
  ).toEqual(swallowed);
  expect(
    found([
      { command: 'git', decision: 'allow' },
      { command: 'github', decision: 'deny' },
    ]),
  ).toEqual([]);
});

describe('a rule that allows what nothing is known of', () => {
  const asked = (first: object, second: object) =>
    found([first, { decision: 'allow', ...second }]).some((words) =>
      words.startsWith('2: it is asked about first'),
    );
  const noRm = { command: 'rm', decision: 'deny' };

  test('is asked about behind one that denies something, which is said', () => {
    expect(found([noRm, { command: 'npm test', decision: 'allow' }])).toEqual([
      '2: it is asked about first: nothing is known of what `npm test` runs, so rule 1 may fit',
    ]);
    expect(found([{ command: 'npm test', decision: 'allow' }, noRm])).toEqual([]);
    for (const first of [noRm, { path: '/x', decision: 'ask' }, { host: 'x.y', decision: 'operator' }])
      for (const command of ['npm test', 'make', 'git push', 'npm run *', './x'])
        expect([first, command, asked(first, { command })]).toEqual([first, command, true]);
  });

  test('is told what to do, and nothing where it decides nothing at all', () => {
    const all = (...given: object[]) =>
      review(
        given.map((rule) => PolicyRule.parse(rule)),
        0,
      );
    expect(all(noRm, { command: 'make', decision: 'allow' })).toMatchObject([
      { suggestion: 'Put it before rule 1 to let `make` run, whatever it does.' },
    ]);
    expect(all(noRm, { tool: 'Write', sandboxed: true, decision: 'deny' })).toMatchObject([
      { suggestion: 'Take `sandboxed` out of it, or name `Bash`.' },
    ]);
    const swallowed = found([
      { command: 'make', decision: 'allow' },
      noRm,
      { command: 'make x', decision: 'allow' },
    ]);
    expect(swallowed).toEqual(['3: it never decides: rule 1 fits first, whatever it fits']);
  });

  test('is not where some of it is known, or no rule means the same calls', () => {
    for (const command of ['ls', 'git', 'git status', 'npm', 'docker', 'find', 'git log *', 'ls; make'])
      expect([command, asked(noRm, { command })]).toEqual([command, false]);
    for (const [first, second] of [
      [{ ...noRm, tool: 'Bash' }, { tool: 'exec' }],
      [{ ...noRm, tool: ['Bash', 'x'] }, { tool: ['exec', 'y'] }],
      [{ ...noRm, door: 'agp' }, { door: 'openai' }],
      [{ ...noRm, session: 'a' }, { session: 'b' }],
      [{ ...noRm, sender: 'a' }, { sender: 'b' }],
      [{ ...noRm, unattended: true }, { unattended: false }],
      [{ ...noRm, sandboxed: true }, {}],
      [{ ...noRm, permission: 'net' }, {}],
      [{ tool: 'exec', session: 'x', decision: 'ask' }, {}],
      [{ ...noRm, decision: 'allow' }, {}],
    ] as const)
      expect([first, asked(first, { command: 'make', ...second })]).toEqual([first, false]);
    for (const [first, second] of [
      [{ ...noRm, tool: 'Bash' }, {}],
      [{ ...noRm, tool: 'B*' }, { tool: 'Bash' }],
      [noRm, { tool: 'Bash' }],
      [{ ...noRm, door: 'agp' }, {}],
      [{ ...noRm, sandboxed: false }, {}],
    ] as const)
      expect([first, asked(first, { command: 'make', ...second })]).toEqual([first, true]);
  });
});

/** Whether the second rule is said to be lost behind the first. */
const lost = (first: object, second: object) =>
  found([
    { decision: 'ask', ...first },
    { decision: 'ask', ...second },
  ]).some((words) => words.startsWith('2: it never'));

test.each<[string, object, object, object]>([
  ['session', { session: 'a*' }, { session: 'ab' }, { session: 'b' }],
  ['door', { door: 'agp' }, { door: 'agp' }, { door: 'openai' }],
  ['sender', { sender: '1' }, { sender: '1' }, { sender: '2' }],
  ['attendance', { unattended: false }, { unattended: false }, { unattended: true }],
  ['tool', { tool: 'mcp__*' }, { tool: 'mcp__x' }, { tool: 'Bash' }],
  ['tools', { tool: ['Bash', 'R*'] }, { tool: ['Read', 'Bash'] }, { tool: ['Read', 'Write'] }],
  ['permission', { permission: 'write:*' }, { permission: 'write:vault' }, { permission: 'exec' }],
  [
    'permissions',
    { permission: ['net', 'read:*'] },
    { permission: ['read:x', 'net'] },
    { permission: ['net', 'exec'] },
  ],
  ['command', { command: 'git push' }, { command: 'git push -f' }, { command: 'git' }],
  ['path', { path: '~/*' }, { path: '~/a/b' }, { path: '~' }],
  ['host', { host: '*.com' }, { host: 'a.com' }, { host: 'com' }],
])('a rule is lost behind one whose %s fits all that it fits, and only then', (_, wide, within, outside) => {
  expect([lost(wide, within), lost(wide, wide), lost({}, wide)]).toEqual([true, true, true]);
  expect([lost(wide, outside), lost(wide, {})]).toEqual([false, false]);
  // Behind what names two things, both have to fit.
  const both = (rule: object) => ({ reason: 'x', ...wide, ...rule });
  const other = 'session' in wide ? { door: 'agp' } : { session: 's' };
  expect([lost(both(other), within), lost(both(other), { ...within, ...other })]).toEqual([false, true]);
});

test('a path is not covered by one that its pattern may mean', () => {
  expect(lost({ path: '/w/a' }, { path: '/w/*' })).toBe(false);
});

test('a rule for every tool covers one that names none', () => {
  expect([lost({ tool: '*' }, {}), lost({ tool: ['x', '*'] }, {}), lost({ tool: 'x*' }, {})]).toEqual([
    true,
    true,
    false,
  ]);
});

test('the first rule that swallows another is named, with what to do', () => {
  const given = [{ tool: 'x*' }, { tool: 'exec' }, { tool: 'exec', decision: 'allow' }];
  expect(
    review(
      given.map((rule) => PolicyRule.parse({ decision: 'ask', ...rule })),
      0,
    ),
  ).toEqual([
    {
      rule: 3,
      words: 'it never decides: rule 2 fits first, whatever it fits',
      suggestion: 'Put it before rule 2, or take it out.',
    },
  ]);
  const allowed = { tool: 'exec', decision: 'allow' };
  expect(found([allowed, { tool: 'exec', decision: 'operator' }])).toEqual([
    '2: it never holds: rule 1 allows all of it before it could ask the operator',
  ]);
  expect(found([allowed, allowed])).toEqual(['2: it never decides: rule 1 fits first, whatever it fits']);
});

describe('what cannot be meant so', () => {
  const one = (rule: object, approvers = 0) =>
    review([PolicyRule.parse({ decision: 'deny', ...rule })], approvers).map(({ words, suggestion }) => [
      words,
      suggestion,
    ]);

  test('is a name that no tool has, each of them', () => {
    const unknown = (name: string) => [
      `no tool is known by the name "${name}"`,
      'Names are written as Claude Code or the hub writes them: `Bash`, `exec`. Those of a provider begin with its name: `notes_search`.',
    ];
    expect(one({ tool: ['bash', 'Bash', 'Exec'] })).toEqual([unknown('bash'), unknown('Exec')]);
    expect(one({ tool: 'x__mcp__y' })).toEqual([unknown('x__mcp__y')]);
    const known = `Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep KillShell LS
      ListMcpResources MultiEdit NotebookEdit NotebookRead Read ReadMcpResource Skill SlashCommand Task TaskOutput
      TaskStop TodoWrite ToolSearch WebFetch WebSearch Write mcp__x b* exec read`;
    expect(one({ tool: known.split(/\s+/) })).toEqual([]);
  });

  test('is a path or a host that should allow a command', () => {
    const said = [
      [
        'it allows no shell command: what one does to a path or a host cannot be told from its words',
        'Name the commands themselves with `command`.',
      ],
    ];
    const allow = (rule: object) => one({ ...rule, decision: 'allow' });
    for (const where of [{ path: '/w' }, { host: 'x' }]) {
      for (const tool of [{}, { tool: 'Bash' }, { tool: ['Read', 'exec'] }, { tool: '*' }])
        expect([where, tool, allow({ ...where, ...tool })]).toEqual([where, tool, said]);
      for (const more of [{ tool: 'Read' }, { tool: ['Write', 'edit'] }, { command: 'ls' }])
        expect([where, more, allow({ ...where, ...more })]).toEqual([where, more, []]);
      expect(one(where)).toEqual([]);
    }
    expect(allow({ tool: 'Bash' })).toEqual([]);
    const nowhere = [
      [
        'it never fits: a call of `Bash` has no field that says in which folder it runs',
        'Take `path` out of it, or name `exec`.',
      ],
    ];
    const both = { command: 'ls', path: '/w' };
    for (const tool of ['Bash', ['Bash']]) expect([tool, allow({ ...both, tool })]).toEqual([tool, nowhere]);
    for (const tool of ['exec', ['Bash', 'exec'], '*', 'B*'])
      expect([tool, allow({ ...both, tool })]).toEqual([tool, []]);
    expect([one({ ...both, tool: 'Bash' }), allow({ command: 'ls', tool: 'Bash' })]).toEqual([[], []]);
  });

  test('is a restriction of a sender, an allowance for what Claude begins, a question to nobody', () => {
    expect(one({ sender: '7' })).toEqual([
      [
        'it does not hold for callers whose sender the hub does not prove',
        'Restrict everybody, and allow the senders you trust in a rule before it.',
      ],
    ]);
    expect(one({ door: 'adopted', decision: 'allow' })).toEqual([
      [
        'it also allows what Claude begins by itself, such as the end of a background task',
        'Use `door: operator` for what you send yourself.',
      ],
    ]);
    for (const decision of ['ask', 'operator'])
      expect(one({ unattended: true, decision })).toEqual([
        ['nobody is there to be asked: it denies', 'Say `deny`, or `allow` what may run alone.'],
      ]);
    for (const rule of [
      { sender: '7', decision: 'allow' },
      { door: 'adopted' },
      { door: 'agp', decision: 'allow' },
      { unattended: true },
      { unattended: true, decision: 'allow' },
      { unattended: false, decision: 'ask' },
      { decision: 'ask' },
    ])
      expect([rule, one(rule)]).toEqual([rule, []]);
  });

  test('is a quorum of more people than may answer', () => {
    expect(one({ decision: { quorum: 3 } }, 2)).toEqual([
      [
        'no chat can bring 3 yeses: `approvers` names 2, so only the operator can answer',
        'Name at least so many `approvers`.',
      ],
    ]);
    expect([one({ decision: { quorum: 3 } }, 3), one({ decision: 'operator' }, 0)]).toEqual([[], []]);
  });
});
