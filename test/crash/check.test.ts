// Whoever checks has to be checked: each doctored history below must be reported, by the rule that it breaks.
import { describe, expect, test } from 'vitest';
import { check, type Rule } from '../../crash/history/check.ts';
import type { Entry, Fact } from '../../crash/history/entry.ts';
import type { Evidence, Row } from '../../crash/history/evidence.ts';

const at = (wall: number, fact: Fact): Entry => ({ ...fact, wall });

interface Draft {
  history: Entry[];
  rows: Row[];
  given: string[];
  ran: string[];
}

const lines = ['Q-1-Z says 1.', 'Q-1-Z says 2.', 'Q-1-Z says 3.'];

/** A message, a question that was allowed in the chat, an operator's stop, and the last message: nothing is wrong. */
function good(): Draft {
  const text = `[[say:${lines.join('|')}]] Q-1-Z`;
  const asks = 'Q-2-Z [[bash:echo Q-2-Z]]';
  const last = 'Q-3-Z says 1.';
  const history = [
    at(100, { is: 'sent', mark: 'Q-1-Z', session: 's', text, expects: lines, last: false }),
    at(101, { is: 'accepted', mark: 'Q-1-Z' }),
    at(110, { is: 'ended', mark: 'Q-1-Z', text: lines.join('\n') }),
    at(200, { is: 'sent', mark: 'Q-2-Z', session: 's', text: asks, expects: [], last: false }),
    at(201, { is: 'accepted', mark: 'Q-2-Z' }),
    at(210, { is: 'ended', mark: 'Q-2-Z', text: 'May I? `yes abcde`' }),
    at(220, { is: 'commanded', n: 1, deed: 'approve', door: 'chat', session: 's', code: 'abcde' }),
    at(221, { is: 'acknowledged', n: 1 }),
    at(300, { is: 'commanded', n: 2, deed: 'stop', door: 'socket', session: 's' }),
    at(301, { is: 'acknowledged', n: 2 }),
    at(400, { is: 'claim', what: 'the bridge runs', held: true, words: '' }),
    at(500, { is: 'sent', mark: 'Q-3-Z', session: 's', text: last, expects: [last], last: true }),
    at(501, { is: 'accepted', mark: 'Q-3-Z' }),
    at(510, { is: 'ended', mark: 'Q-3-Z', text: last }),
  ];
  const events: [number, Row['event']][] = [
    [101, { type: 'turn.queued', turn: 't1', text }],
    [102, { type: 'turn.delivering', turn: 't1' }],
    [103, { type: 'turn.running', turn: 't1' }],
    [201, { type: 'turn.queued', turn: 't2', text: asks }],
    [205, { type: 'permission.asked', turn: 't2', code: 'abcde', input: { command: 'echo Q-2-Z' } }],
    [221, { type: 'permission.decided', code: 'abcde', verdict: 'allow' }],
    [222, { type: 'permission.settled', code: 'abcde', outcome: 'applied' }],
    [301, { type: 'agent.stopping' }],
    [501, { type: 'turn.queued', turn: 't3', text: last }],
  ];
  const rows = events.map(([when, event], index) => ({ seq: index + 1, at: when, session: 's', event }));
  return { history, rows, given: [text, asks, last], ran: ['Q-2-Z'] };
}

/** The good history, and what one change makes of it. */
function broken(change: (draft: Draft) => void): Rule[] {
  const draft = good();
  change(draft);
  return [...new Set(check(draft satisfies Evidence).violations.map(({ rule }) => rule))];
}

const forget = (draft: Draft, type: string) => {
  draft.rows = draft.rows
    .filter(({ event }) => event.type !== type)
    .map((row, index) => ({ ...row, seq: index + 1 }));
};
const add = (draft: Draft, when: number, event: Row['event'], session = 's') =>
  draft.rows.push({ seq: draft.rows.length + 1, at: when, session, event });
const answer = (draft: Draft, mark: string, text: string) => {
  for (const entry of draft.history) if (entry.is === 'ended' && entry.mark === mark) entry.text = text;
};
const command = (draft: Draft, n: number) => {
  const found = draft.history.find((entry) => entry.is === 'commanded' && entry.n === n);
  if (found?.is !== 'commanded') throw new Error('no such command');
  return found;
};

test('nothing is reported where nothing is wrong', () => {
  expect(check(good()).violations).toEqual([]);
  expect(check(good()).checks).toBeGreaterThan(15);
});

const doctored: [string, Rule, (draft: Draft) => void][] = [
  [
    'an accepted message is not in the journal',
    'lost',
    (draft) => {
      draft.rows.splice(0, 3);
      draft.rows.forEach((row, index) => {
        row.seq = index + 1;
      });
    },
  ],
  [
    'only the repeat of an accepted message is in the journal',
    'lost',
    ({ rows }) => {
      for (const row of rows) if (row.event.type === 'turn.queued' && row.event.turn === 't1') row.at = 900;
    },
  ],
  ['a row is missing', 'journal gap', ({ rows }) => rows.splice(6, 1)],
  [
    'a message is in the journal twice',
    'given twice',
    (draft) => add(draft, 150, { type: 'turn.queued', turn: 't9', text: 'Q-1-Z' }),
  ],
  ['Claude was given a message twice', 'given twice', ({ given }) => given.push('again Q-1-Z')],
  [
    'a message is handed over after Claude had it',
    'given twice',
    (draft) => add(draft, 150, { type: 'turn.delivering', turn: 't1' }),
  ],
  [
    'a question is decided twice',
    'applied twice',
    (draft) => add(draft, 230, { type: 'permission.decided', code: 'abcde', verdict: 'allow' }),
  ],
  ['what was allowed once ran twice', 'applied twice', ({ ran }) => ran.push('Q-2-Z')],
  ['something ran that nobody was asked about', 'ran unasked', ({ ran }) => ran.push('Q-1-Z')],
  [
    'something ran after a no',
    'ran unasked',
    (draft) => {
      command(draft, 1).deed = 'deny';
      for (const { event } of draft.rows) if (event.type === 'permission.decided') event.verdict = 'deny';
    },
  ],
  [
    'an answered question expired at a restart',
    'verdict lost',
    (draft) => {
      forget(draft, 'permission.decided');
      forget(draft, 'permission.settled');
      draft.ran = [];
      add(draft, 900, { type: 'permission.settled', code: 'abcde', outcome: 'expired' });
    },
  ],
  [
    'only the repeat of a verdict found it expired',
    'verdict lost',
    (draft) => {
      forget(draft, 'permission.decided');
      forget(draft, 'permission.settled');
      draft.ran = [];
      add(draft, 900, { type: 'permission.settled', code: 'abcde', outcome: 'expired' });
      draft.history.push(at(950, { is: 'acknowledged', n: 1 }));
    },
  ],
  [
    'only the repeat of a verdict is in the journal',
    'verdict lost',
    ({ rows }) => {
      for (const row of rows) if (row.event.type.startsWith('permission.')) row.at = 900;
    },
  ],
  [
    'the other verdict is in the journal',
    'verdict lost',
    (draft) => {
      command(draft, 1).deed = 'deny';
      command(draft, 1).door = 'socket';
    },
  ],
  ['a stop is not there', 'command lost', (draft) => forget(draft, 'agent.stopping')],
  [
    'a stop is there from before',
    'command lost',
    ({ rows }) => {
      for (const row of rows) if (row.event.type === 'agent.stopping') row.at = 150;
    },
  ],
  [
    'an exit at the restart stands for a stop',
    'command lost',
    (draft) => {
      forget(draft, 'agent.stopping');
      add(draft, 900, { type: 'agent.exited' });
    },
  ],
  [
    'another session was stopped',
    'command lost',
    ({ rows }) => {
      for (const row of rows) if (row.event.type === 'agent.stopping') row.session = 'other';
    },
  ],
  [
    'a removal is not there',
    'command lost',
    (draft) => {
      command(draft, 2).deed = 'rm';
    },
  ],
  [
    'an interrupt is not there',
    'command lost',
    (draft) => {
      command(draft, 2).deed = 'interrupt';
    },
  ],
  [
    'a client never got an answer',
    'unended',
    (draft) => {
      draft.history = draft.history.filter((entry) => entry.is !== 'ended' || entry.mark !== 'Q-2-Z');
    },
  ],
  ['an answer is empty', 'unended', (draft) => answer(draft, 'Q-2-Z', ' \n')],
  ['an answer ends in the middle, without words', 'cut', (draft) => answer(draft, 'Q-1-Z', `${lines[0]}`)],
  [
    'a line is missing in the middle',
    'hole',
    (draft) => answer(draft, 'Q-1-Z', `${lines[0]}\n${lines[2]}\n⚠️ The bridge was restarted.`),
  ],
  [
    'a line stands there twice',
    'line twice',
    (draft) => answer(draft, 'Q-1-Z', [lines[0], ...lines].join('\n')),
  ],
  [
    'the last message is answered by words only',
    'wedged',
    (draft) => answer(draft, 'Q-3-Z', '⚠️ Claude Code gave no sign of life.'),
  ],
  [
    'the last message is not answered at all',
    'wedged',
    (draft) => {
      draft.history = draft.history.filter((entry) => entry.is !== 'ended' || entry.mark !== 'Q-3-Z');
    },
  ],
  [
    'a row did not see what it looked for',
    'claim',
    ({ history }) => {
      for (const entry of history) if (entry.is === 'claim') entry.held = false;
    },
  ],
];

describe('is reported:', () => {
  test.each(doctored)('%s', (_, rule, change) => {
    expect(broken(change)).toEqual([rule]);
  });
});

const fine: [string, (draft: Draft) => void][] = [
  ['an answer that ends in words', (draft) => answer(draft, 'Q-1-Z', `${lines[0]}\n⚠️ It was restarted.`)],
  [
    'a message that nobody acknowledged and that is gone',
    (draft) => {
      draft.history = draft.history.filter((entry) => entry.is !== 'accepted' || entry.mark !== 'Q-2-Z');
      draft.rows = draft.rows.filter(({ event }) => event.turn !== 't2' || event.type !== 'turn.queued');
      draft.rows.forEach((row, index) => {
        row.seq = index + 1;
      });
    },
  ],
  [
    'a message of which the start said that it is gone',
    (draft) => {
      draft.history.push(at(450, { is: 'told-gone', marks: ['Q-1-Z'] }));
      draft.rows.splice(0, 3);
      draft.rows.forEach((row, index) => {
        row.seq = index + 1;
      });
    },
  ],
  [
    'a verdict that nobody acknowledged',
    (draft) => {
      draft.history = draft.history.filter((entry) => entry.is !== 'acknowledged' || entry.n !== 1);
      forget(draft, 'permission.decided');
      draft.ran = [];
    },
  ],
  [
    'a verdict in a chat that came too late',
    (draft) => {
      forget(draft, 'permission.decided');
      forget(draft, 'permission.settled');
      draft.ran = [];
      add(draft, 215, { type: 'permission.settled', code: 'abcde', outcome: 'expired' });
    },
  ],
];

test.each(fine)('is not reported: %s', (_, change) => {
  expect(broken(change)).toEqual([]);
});
