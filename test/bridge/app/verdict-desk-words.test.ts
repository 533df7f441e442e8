// The desk to the letter: the words of each refusal, what counts as a wrong code, and what a chat is shown.
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Codes } from '../../../src/bridge/app/desks/codes.ts';
import { Guesses } from '../../../src/bridge/app/desks/guesses.ts';
import { VerdictDesk } from '../../../src/bridge/app/desks/verdict-desk.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import type { AgentReport, CallerCommand } from '../../../src/domain/commands.ts';
import type { Voice } from '../../../src/domain/question/approvers.ts';
import { emptySession } from '../../../src/domain/state/session.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';

type Submit = Extract<CallerCommand, { type: 'turn.submit' }>;
type Question = Extract<AgentReport, { type: 'permission.ask' }>;

const alice: Voice = { proven: true, sender: '42', channel: 'telegram', group: false };
const bob: Voice = { ...alice, sender: '666' };

/** A desk for two conversations: in each, sender 42 (or whoever `turn` says) asked Claude, and Claude asks. */
function opened(options: { asks?: Partial<Question>[]; turn?: Partial<Submit>; approvers?: string[] } = {}) {
  const clock = new ManualClock();
  const codes = new Codes();
  const journal = new MemoryJournal({ clock });
  const events: SessionEvent[] = [];
  journal.subscribe((row) => {
    codes.observe(row);
    events.push(row.event);
  });
  const dispatcher = new Dispatcher({
    journal,
    limits: { queued: 3 },
    log: silentLog,
    perform: () => {},
    failed: (error) => {
      throw error;
    },
  });
  const approvers = options.approvers ?? [];
  const desk = new VerdictDesk({
    dispatcher,
    guesses: new Guesses(clock),
    codes,
    approversFor: () => approvers,
  });
  const open = (key: string, asks: Partial<Question>[]) => {
    dispatcher.dispatch(key, {
      type: 'turn.submit',
      turn: `turn-${key}`,
      claude: `claude-${key}`,
      launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
      ingress: 'openai',
      text: 'go',
      sender: { id: '42' },
      ...options.turn,
    });
    dispatcher.dispatch(key, { type: 'prompt.taken', turn: `turn-${key}` });
    for (const ask of asks) dispatcher.dispatch(key, { ...fresh, ...ask });
  };
  open('k', options.asks ?? [{}]);
  const session = (key = 'k') => dispatcher.session(key) ?? emptySession(key);
  const take = (text: string, voice = alice, key = 'k') => desk.take(session(key), text, voice, undefined);
  const state = (code = 'abcde') => session().asks.find((ask) => ask.code === code)?.state;
  return { clock, codes, events, dispatcher, desk, open, session, take, state };
}

const fresh: Question = {
  type: 'permission.ask',
  code: 'abcde',
  tool: 'Bash',
  input: { command: 'ls' },
  expires_at: 0,
};

const refusal = (text: string) => ({ kind: 'words', text: `${text} Nothing was changed.`, refused: true });
const words = (text: string) => ({ kind: 'words', text, refused: false });
const muted = refusal('Too many wrong codes came from you; answers are ignored for a minute.');

test.each<[string, Voice, string[], string]>([
  [
    'without a sender',
    { proven: false, group: false },
    [],
    'This question was asked in a chat and has to be answered there, by `synthesis approve`, or in the terminal.',
  ],
  ['from outside of the list', bob, ['42'], 'You are not among the approvers of this conversation.'],
  ['from somebody else', bob, [], 'Only the person whose message Claude is working on can answer this.'],
  [
    'in a group without approvers',
    { ...alice, group: true },
    [],
    'Nobody may answer in a group until the operator names approvers in the configuration; `synthesis approve` works.',
  ],
  [
    'that was forwarded',
    { ...alice, forwarded: true },
    [],
    'A forwarded message does not answer a question: write it yourself.',
  ],
  [
    'that was said aloud',
    { ...alice, spoken: true },
    [],
    'A voice message does not answer a question, as speech recognition may mishear: write it.',
  ],
  [
    'that came while Claude was at work',
    { ...alice, bare: true },
    [],
    'This came while the message before it was still worked on, so nothing shows whether it was forwarded: write it once more.',
  ],
  ['of a bot', { ...alice, bot: true }, [], 'A bot cannot answer a question.'],
  [
    'of a channel that nobody measured',
    { ...alice, proven: false, relayed: true },
    [],
    'Nothing proves who wrote this, so it cannot answer here. The operator can, with `synthesis approve`.',
  ],
])(
  'an answer %s is refused in words, with the right code and with a wrong one',
  (_, voice, approvers, text) => {
    const { take, state } = opened({ approvers });
    expect(take('yes abcde', voice)).toEqual(refusal(text));
    expect(take('yes zzzzz', voice)).toEqual(refusal(text));
    expect(state()).toEqual({ name: 'asked' });
  },
);

test('a part of a question is shown to who may look on, and refused to who is not of this chat', () => {
  const input = { command: 'x'.repeat(2_000) };
  const { take, session } = opened({ asks: [{ input }] });
  expect(take('show abcde', { proven: false, group: false })).toMatchObject({ refused: true });
  expect(take('show abcde', { ...alice, bot: true })).toEqual(refusal('A bot cannot answer a question.'));
  expect(session().asks[0]?.shownParts).toEqual([]);
  expect(take('show abcde', bob)).toMatchObject({
    refused: false,
    text: expect.stringMatching(/^Part 2 of 2/),
  });
  expect(session().asks[0]?.shownParts).toEqual([2]);
  const listed = opened({ asks: [{ input }], approvers: ['42'] });
  expect(listed.take('show abcde', bob)).toMatchObject({ refused: false });
  const group = opened({ asks: [{ input }] });
  expect(group.take('show abcde', { ...alice, group: true })).toMatchObject({ refused: false });
});

test('the first part is shown again, and without a number the next hidden one, then the first', () => {
  const { take, session } = opened({ asks: [{ input: { command: 'x'.repeat(2_000) } }] });
  expect(take('show abcde 1')).toMatchObject({ text: expect.stringMatching(/^Part 1 of 2/) });
  expect(session().asks[0]?.shownParts).toEqual([]);
  expect(take('show abcde')).toMatchObject({
    text: expect.stringMatching(/^Part 2 of 2[\s\S]*\nApprove\? Reply `yes abcde` or `no abcde`\.$/),
  });
  expect(take('show abcde')).toMatchObject({ text: expect.stringMatching(/^Part 1 of 2/) });
});

test('a part that there is not is none, and says how many there are', () => {
  const { take } = opened({ asks: [{}, { code: 'fghij', input: { command: 'x'.repeat(2_000) } }] });
  expect(take('show abcde 2')).toEqual(words('`abcde` has one part, no part 2.'));
  expect(take('show abcde 0')).toEqual(words('`abcde` has one part, no part 0.'));
  expect(take('show fghij 3')).toEqual(words('`fghij` has 2 parts, no part 3.'));
  expect(take('show abcde 1')).toMatchObject({ text: expect.stringMatching(/^Part 1 of 1/) });
  expect(take('show fghij 2')).toMatchObject({ text: expect.stringMatching(/^Part 2 of 2 of what `fghij`/) });
});

test('a decided question is not shown once more', () => {
  const { take } = opened();
  take('no abcde');
  expect(take('show abcde')).toEqual(words('Already answered: `abcde` (Bash) was denied in the chat.'));
});

test('who may not answer with this message, but reads in this chat, may look', () => {
  const { take } = opened();
  expect(take('show abcde', { ...alice, bare: true })).toMatchObject({
    text: expect.stringMatching(/^Part 1 of 1/),
  });
  expect(take('show abcde', { ...alice, forwarded: true })).toMatchObject({ refused: true });
});

test('what is shown is written for the chat that reads it', () => {
  const input = { command: 'x'.repeat(2_000) };
  const discord = opened({ asks: [{ input }], turn: { meta: { source_channel: 'discord' } } });
  expect(discord.take('show abcde')).toMatchObject({ text: expect.stringContaining('│ xxx') });
  const group = opened({ asks: [{ input }], turn: { meta: { chat_type: 'group' } } });
  expect(group.take('show abcde')).toMatchObject({ text: expect.stringContaining('waits for the operator') });
});

test('a yes that is too little says what is missing', () => {
  const input = { questions: [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] };
  const asking = opened({ asks: [{ tool: 'AskUserQuestion', input }] });
  expect(asking.take('yes abcde')).toMatchObject({
    refused: false,
    text: expect.stringMatching(
      /^That is a question, which needs more than a yes\. Nothing was changed\.\n\nClaude asks:\n/,
    ),
  });
  for (const ask of [{ input: '{"command":"x', cut: true }, { input: { command: 'x'.repeat(300_001) } }])
    expect(opened({ asks: [ask] }).take('yes abcde')).toEqual(
      words(
        "Only the beginning of this input is shown here, so a chat cannot allow it. The operator can, in Claude's terminal or with `synthesis approve abcde`. Nothing was changed.",
      ),
    );
  const long = opened({ asks: [{ input: { command: 'x'.repeat(2_000) } }] });
  expect(long.take('yes abcde')).toEqual(
    words(
      'Not all of this was shown here, and a yes would allow what nobody has read. `show abcde 2` shows the next part of 2; the operator sees all of it with `synthesis approve abcde`. Nothing was changed.',
    ),
  );
});

test('a question of Claude’s is declined with a bare no, and a no takes a reason', () => {
  const input = { questions: [{ question: 'Which?', options: [{ label: 'A' }] }] };
  const asking = opened({ asks: [{ tool: 'AskUserQuestion', input }] });
  expect(asking.take('no abcde')).toMatchObject({ kind: 'decided', outcome: { ok: true } });
  expect(asking.state()).toEqual({ name: 'decided', verdict: 'deny', by: 'chat' });
  const plain = opened();
  plain.take('no abcde not now');
  expect(plain.state()).toEqual({ name: 'decided', verdict: 'deny', by: 'chat', reason: 'not now' });
});

test('an answer to what was answered is late, also where it would be too little', () => {
  const { take, session } = opened({ asks: [{ input: { command: 'x'.repeat(2_000) } }] });
  take('no abcde');
  expect(take('yes abcde')).toMatchObject({
    kind: 'late',
    ask: { code: 'abcde' },
    text: 'Already answered: `abcde` (Bash) was denied in the chat. Nothing was changed.',
  });
  expect(session().asks[0]?.told).toBe('outcome');
});

test('a wrong code is named, with the questions that wait', () => {
  const one = opened();
  expect(one.take('yes zzzzz')).toEqual(
    words('No open question has the code `zzzzz`. Nothing was changed; `abcde` waits.'),
  );
  const two = opened({ asks: [{}, { code: 'fghij' }] });
  expect(two.take('no zzzzz')).toEqual(
    words('No open question has the code `zzzzz`. Nothing was changed; `abcde`, `fghij` wait.'),
  );
  for (let count = 0; count < 3; count += 1) two.take('yes zzzzz');
  expect(two.take('yes zzzzz')).toEqual(words('Too many wrong codes: the question was answered with no.'));
});

test('a code of another conversation says so, and counts as a wrong one while a question is open', () => {
  const { codes, take, session, open } = opened();
  codes.claim('mnopq');
  const foreign = '`mnopq` is not open any more, or belongs to another conversation.';
  expect(take('yes mnopq')).toEqual(words(`${foreign} Nothing was changed; \`abcde\` waits.`));
  expect(session().asks[0]?.guesses).toBe(1);
  open('other', []);
  expect(take('yes mnopq', alice, 'other')).toEqual(words(foreign));
});

test('words behind a wrong code make it a message, which counts nothing', () => {
  const { take, session } = opened();
  expect(take('no zzzzz for me')).toBeUndefined();
  expect(session().asks[0]?.guesses).toBe(0);
});

test('a wrong code is an ordinary message when the turn that asked has ended', () => {
  const { take, session, dispatcher } = opened();
  dispatcher.dispatch('k', { type: 'turn.rest' });
  expect(session().asks[0]?.state.name).toBe('settled');
  expect(take('yes zzzzz')).toBeUndefined();
});

test('who guessed too often is muted by channel and id, in every conversation, and by conversation without an id', () => {
  const { take, open, state } = opened({ approvers: ['7'] });
  for (let count = 0; count < 21; count += 1) take('yes zzzzz');
  expect(take('yes zzzzz')).toEqual(muted);
  expect(take('yes abcde')).toEqual(muted);
  open('other', [{ code: 'fghij' }]);
  expect(take('yes fghij', alice, 'other')).toEqual(muted);
  expect(take('yes fghij', { ...alice, channel: 'discord' }, 'other')).not.toEqual(muted);
  expect(take('yes fghij', bob, 'other')).not.toEqual(muted);
  const { channel: _, ...elsewhere } = alice;
  for (let count = 0; count < 21; count += 1) take('yes zzzzz', elsewhere);
  expect(take('yes abcde', elsewhere)).toEqual(muted);
  expect(take('yes abcde', { ...elsewhere, channel: '' })).toEqual(muted);
  const client: Voice = { proven: false, group: false };
  for (let count = 0; count < 21; count += 1) take('yes zzzzz', client);
  expect(take('yes abcde', client)).toEqual(muted);
  expect(take('yes fghij', client, 'other')).not.toEqual(muted);
  expect(state()).toEqual({ name: 'asked' });
});

test('who is not muted by twenty wrong codes is by twenty-one, and only for a minute', () => {
  const { clock, take } = opened({ approvers: ['7'] });
  for (let count = 0; count < 20; count += 1) take('yes zzzzz');
  expect(take('yes abcde')).not.toEqual(muted);
  take('yes zzzzz');
  expect(take('yes abcde')).toEqual(muted);
  clock.advance(60_000);
  expect(take('yes abcde')).not.toEqual(muted);
});

test('a repeat belongs to the turn of its own question, among several', () => {
  const { desk, session } = opened({ asks: [{ code: 'fghij' }, {}] });
  expect(desk.turnOf(session(), 'no fghij because')).toBe('turn-k');
  expect(desk.turnOf(session(), 'show fghij')).toBeUndefined();
});

test('whoever may answer one of the open questions is heard, and who may answer none is not', () => {
  const client: Voice = { proven: false, group: false };
  const { desk, session } = opened({ asks: [{}, { code: 'fghij' }] });
  expect(desk.take(session(), 'yes zzzzz', client, undefined)).toMatchObject({ refused: true });
  expect(session().asks.map(({ guesses }) => guesses)).toEqual([0, 0]);
  // One of them comes from no turn, and so from nobody in a chat.
  const [first, second] = session().asks;
  if (!first || !second) throw new Error('no questions');
  const { turn: _, ...ofNobody } = second;
  const mixed = { ...session(), asks: [first, ofNobody] };
  expect(desk.take(mixed, 'yes zzzzz', client, undefined)).toMatchObject({ refused: false });
  expect(session().asks.map(({ guesses }) => guesses)).toEqual([1, 1]);
});

test('a no is stored without what was shown, and an answer of nobody known without a name', () => {
  const { take, events } = opened();
  take('no abcde');
  expect(events.filter(({ type }) => type === 'permission.decided')).toStrictEqual([
    { type: 'permission.decided', code: 'abcde', verdict: 'deny', by: 'chat', scope: 'once' },
  ]);
});

describe('a question that two people have to allow', () => {
  const two = [{}, { code: 'fghij', needs: { quorum: 2 } }];
  const group = (sender: string, channel = 'telegram'): Voice => ({
    proven: true,
    sender,
    channel,
    group: true,
  });
  const approvers = ['42', '666'];

  test('counts each person once, by channel and id, and says what is missing', () => {
    const { take, session, state } = opened({ asks: two, approvers });
    const oneMore = 'Your yes to `fghij` counts: 1 of 2. It waits for 1 more.';
    expect(take('yes fghij', group('42'))).toEqual(words(oneMore));
    expect(session().asks.map(({ votes }) => votes)).toEqual([undefined, ['telegram:42']]);
    expect(take('yes fghij', group('42'))).toEqual(
      refusal(`You have said yes before; somebody else has to, too. ${oneMore}`),
    );
    expect(state('fghij')).toEqual({ name: 'asked' });
    expect(take('yes fghij', group('666'))).toMatchObject({ kind: 'decided' });
    expect(state('fghij')).toMatchObject({ verdict: 'allow' });
  });

  test('counts nobody whose name nothing proves: a client with the token cannot be two people', () => {
    const { desk, session, state, dispatcher } = opened({ asks: [], turn: { sender: undefined } });
    dispatcher.dispatch('k', { ...fresh, code: 'fghij', needs: { quorum: 2 } });
    const claims = (sender?: string): Voice => ({ proven: false, group: false, ...(sender && { sender }) });
    for (const voice of [claims(), claims('42'), claims('666')])
      expect(desk.take(session(), 'yes fghij', voice, undefined)).toEqual(
        refusal(
          'Several people have to answer this, and the hub does not say who you are. `synthesis approve` works.',
        ),
      );
    expect(session().asks[0]).not.toHaveProperty('votes');
    expect(state('fghij')).toEqual({ name: 'asked' });
  });
});

test('what only the operator may answer is refused in words, and stays open', () => {
  const { take, session, state } = opened({ asks: [{ needs: 'operator' }] });
  for (const text of ['yes abcde', 'no abcde'])
    expect(take(text)).toEqual(
      refusal('Only the operator may answer this: `synthesis approve abcde` or `synthesis deny abcde`.'),
    );
  expect(session().asks[0]?.told).not.toBe('outcome');
  expect(state()).toEqual({ name: 'asked' });
});
