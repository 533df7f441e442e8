// One word without a code, behind a question: it never becomes a message that Claude reads later.
import { beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Codes } from '../../../src/bridge/app/desks/codes.ts';
import { Guesses } from '../../../src/bridge/app/desks/guesses.ts';
import { VerdictDesk } from '../../../src/bridge/app/desks/verdict-desk.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import type { AgentReport } from '../../../src/domain/commands.ts';
import type { Voice } from '../../../src/domain/question/approvers.ts';
import { emptySession } from '../../../src/domain/state/session.ts';
import { ManualClock } from '../../support/manual-clock.ts';

type Ask = Extract<AgentReport, { type: 'permission.ask' }>;

const alice: Voice = { proven: true, sender: '42', channel: 'telegram', group: false };
let dispatcher: Dispatcher;
let desk: VerdictDesk;
let approvers: string[];

beforeEach(() => {
  const clock = new ManualClock();
  const journal = new MemoryJournal({ clock });
  approvers = [];
  dispatcher = new Dispatcher({
    journal,
    limits: { queued: 3 },
    log: silentLog,
    perform: () => {},
    failed: () => {},
  });
  const guesses = new Guesses(clock);
  desk = new VerdictDesk({ dispatcher, guesses, codes: new Codes(), approversFor: () => approvers });
  dispatcher.dispatch('k', {
    type: 'turn.submit',
    turn: 't',
    claude: 'uuid',
    launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
    ingress: 'openai',
    text: 'go',
    sender: { id: '42' },
  });
  dispatcher.dispatch('k', { type: 'prompt.taken', turn: 't' });
});

function ask(fields: Partial<Ask> = {}, isShown = true): void {
  const { code = 'abcde' } = fields;
  dispatcher.dispatch('k', {
    type: 'permission.ask',
    code,
    tool: 'Bash',
    input: { command: 'ls' },
    expires_at: 0,
    ...fields,
  });
  if (isShown) dispatcher.dispatch('k', { type: 'permission.tell', code, what: 'question' });
}

const session = () => dispatcher.session('k') ?? emptySession('k');
const take = (text: string, voice = alice) => desk.take(session(), text, voice, undefined);
const state = () => session().asks[0]?.state;
const choice = {
  tool: 'AskUserQuestion',
  input: { questions: [{ question: 'Which?', options: [{ label: 'A' }] }] },
};

describe('in a direct chat with one open question', () => {
  test.each(['no', 'No.', 'N', 'deny', 'ｎｏ', ' no! '])('%j denies what was asked here', (text) => {
    ask();
    expect(take(text)).toMatchObject({ kind: 'decided' });
    expect(state()).toMatchObject({ verdict: 'deny', by: 'chat' });
    expect(desk.turnOf(session(), text)).toBe('t');
  });

  test.each(['yes', 'Yes!', 'y', 'OK', 'allow', 'approve', 'ｙｅｓ'])('%j allows nothing', (text) => {
    ask();
    expect(take(text)).toEqual({
      kind: 'words',
      refused: false,
      text: 'An answer needs the code of its question: to answer `abcde` (Bash), reply `yes abcde`. Nothing was changed, and Claude was not told.',
    });
    expect(state()).toEqual({ name: 'asked' });
  });

  test('a no to what this chat was not asked is told what to write', () => {
    ask({}, false);
    expect(take('no')).toMatchObject({ kind: 'words', text: expect.stringContaining('reply `no abcde`') });
    expect(state()).toEqual({ name: 'asked' });
  });

  test('a yes to what was not shown whole is told how to see the rest', () => {
    ask({ input: { command: 'x'.repeat(2_000) } });
    expect(take('yes')).toMatchObject({
      text: expect.stringContaining('`show abcde 2` shows the next part'),
    });
  });

  test('a number is told what to write, where Claude asks for one', () => {
    ask(choice);
    expect(take('1')).toMatchObject({ text: expect.stringContaining('reply `yes abcde 1`') });
    expect(take('yes')).toMatchObject({ text: expect.stringContaining('needs more than a yes') });
    expect(state()).toEqual({ name: 'asked' });
  });

  test.each([
    ['somebody else', { ...alice, sender: '666' }, 'Only the person whose message'],
    ['a forwarded message', { ...alice, forwarded: true }, 'A forwarded message'],
    ['a message written meanwhile', { ...alice, bare: true }, 'write it once more'],
    ['nobody known', { ...alice, proven: false, relayed: true }, 'Nothing proves who wrote this'],
  ])('%s is told why it does not count', (_, voice, text) => {
    ask();
    for (const word of ['no', 'yes'])
      expect(take(word, voice)).toMatchObject({
        kind: 'words',
        refused: true,
        text: expect.stringContaining(text),
      });
    expect(state()).toEqual({ name: 'asked' });
  });

  test('what waits for the operator is told so', () => {
    ask({ needs: 'operator' });
    for (const word of ['no', 'yes'])
      expect(take(word)).toMatchObject({
        text: expect.stringContaining('Only the operator may answer this'),
      });
  });
});

test.each(['2', 'yes please', 'no, use another folder', 'not now', 'okay', 'yes\nno', ''])(
  '%j is a message, as it may be about anything',
  (text) => {
    ask();
    expect(take(text)).toBeUndefined();
  },
);

test('with no open question, or several, it is a message', () => {
  expect(take('no')).toBeUndefined();
  ask();
  ask({ code: 'fghij' });
  expect(take('no')).toBeUndefined();
  expect(take('yes')).toBeUndefined();
});

describe('in a group', () => {
  const inGroup = { ...alice, group: true };

  test('an approver is told what to write, for a no as well', () => {
    approvers = ['42'];
    ask();
    expect(take('no', inGroup)).toMatchObject({
      kind: 'words',
      text: expect.stringContaining('reply `no abcde`'),
    });
    expect(take('yes', inGroup)).toMatchObject({ text: expect.stringContaining('reply `yes abcde`') });
    expect(state()).toEqual({ name: 'asked' });
  });

  test('of anybody else it is a message', () => {
    ask();
    expect(take('no', inGroup)).toBeUndefined();
    approvers = ['42'];
    expect(take('yes', { ...inGroup, sender: '666' })).toBeUndefined();
  });
});
