// One inbound message and an open question: what is decided, by whom, and what everybody else hears.
import { beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Codes } from '../../../src/bridge/app/desks/codes.ts';
import { Guesses } from '../../../src/bridge/app/desks/guesses.ts';
import { VerdictDesk } from '../../../src/bridge/app/desks/verdict-desk.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import type { AgentReport } from '../../../src/domain/commands.ts';
import type { Voice } from '../../../src/domain/question/approvers.ts';
import { digestOf } from '../../../src/domain/question/picture.ts';
import { emptySession } from '../../../src/domain/state/session.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let dispatcher: Dispatcher;
let desk: VerdictDesk;
let clock: ManualClock;
let codes: Codes;
let approvers: string[];
let events: SessionEvent[];

beforeEach(() => {
  clock = new ManualClock();
  codes = new Codes();
  approvers = [];
  const journal = new MemoryJournal({ clock });
  events = [];
  journal.subscribe((row) => {
    codes.observe(row);
    events.push(row.event);
  });
  dispatcher = new Dispatcher({
    journal,
    limits: { queued: 3 },
    log: silentLog,
    perform: () => {},
    failed: () => {},
  });
  desk = new VerdictDesk({
    dispatcher,
    guesses: new Guesses(clock),
    codes,
    approversFor: () => approvers,
  });
});

const alice: Voice = { proven: true, sender: '42', channel: 'telegram', group: false };
const inGroup = (voice: Voice): Voice => ({ ...voice, group: true });
const bob: Voice = { ...alice, sender: '666' };
const client: Voice = { proven: false, group: false };

/** A turn of `asker` in which Claude asks with each of these codes. */
function asking(asker: string | undefined, ...asked: (string | Partial<Ask>)[]): void {
  dispatcher.dispatch('k', {
    type: 'turn.submit',
    turn: 't',
    claude: 'uuid',
    launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
    ingress: 'openai',
    text: 'go',
    ...(asker !== undefined && { sender: { id: asker } }),
  });
  dispatcher.dispatch('k', { type: 'prompt.taken', turn: 't' });
  for (const ask of asked) {
    const fields = typeof ask === 'string' ? { code: ask } : ask;
    dispatcher.dispatch('k', {
      type: 'permission.ask',
      code: 'abcde',
      tool: 'Bash',
      input: { command: 'ls' },
      expires_at: 0,
      ...fields,
    });
  }
}
type Ask = Extract<AgentReport, { type: 'permission.ask' }>;

const session = () => dispatcher.session('k') ?? emptySession('k');
const take = (text: string, voice = alice, who?: string) => desk.take(session(), text, voice, who);
const words = (text: string, voice?: Voice) => {
  const taken = take(text, voice);
  return taken?.kind === 'decided' ? 'decided' : taken?.text;
};
const dispatched = (type: SessionEvent['type']) => events.filter((event) => event.type === type);
const state = (code = 'abcde') => session().asks.find((ask) => ask.code === code)?.state;

describe('in a direct chat', () => {
  test.each(['yes abcde', 'Y ABCDE', 'allow abcde', 'ok abcde', 'Approve abcde.', ' yes  abcde '])(
    '%j allows',
    (text) => {
      asking('42', 'abcde');
      expect(take(text, alice, 'alice')).toMatchObject({ kind: 'decided' });
      expect(state()).toMatchObject({ name: 'decided', verdict: 'allow', by: 'chat', who: 'alice' });
    },
  );

  test.each([
    ['no abcde', undefined],
    ['N abcde', undefined],
    ['deny abcde: use another folder', 'use another folder'],
  ])('%j denies', (text, reason) => {
    asking('42', 'abcde');
    expect(words(text)).toBe('decided');
    expect(state()).toMatchObject({ verdict: 'deny', ...(reason && { reason }) });
  });

  test('nobody but the one who asked Claude answers', () => {
    asking('42', 'abcde');
    expect(words('yes abcde', bob)).toContain('Only the person whose message');
    expect(words('yes abcde', { ...alice, forwarded: true })).toContain('forwarded');
    expect(words('yes abcde', { ...alice, bot: true })).toContain('bot');
    expect(words('yes abcde', client)).toContain('has to be answered there');
    expect(state()).toEqual({ name: 'asked' });
  });
});

describe('in a group', () => {
  test('nobody answers before approvers are named', () => {
    asking('42', 'abcde');
    expect(words('yes abcde', inGroup(alice))).toContain('until the operator names approvers');
    approvers = ['telegram:42'];
    expect(words('yes abcde', inGroup(bob))).toContain('not among the approvers');
    expect(words('yes abcde', { ...inGroup(alice), channel: 'discord' })).toContain('not among');
    expect(words('yes abcde', inGroup(alice))).toBe('decided');
  });

  test('somebody who may not answer cannot end a question with wrong codes', () => {
    asking('42', 'abcde');
    approvers = ['42'];
    for (let count = 0; count < 20; count += 1)
      expect(words('yes zzzzz', inGroup(bob))).toContain('not among the approvers');
    expect(words('yes zzzzz', inGroup(bob))).toContain('not among the approvers');
    expect(words('yes zzzzz', inGroup(bob))).toContain('ignored for a minute');
    expect(state()).toEqual({ name: 'asked' });
    expect(words('yes abcde', inGroup(alice))).toBe('decided');
  });
});

describe('wrong codes', () => {
  test.each([1, 2, 5])('are five at most, with %i questions open as with one (T6)', (count) => {
    const asked = ['abcde', 'fghij', 'kmnop', 'qrstu', 'vwxyz'].slice(0, count);
    asking('42', ...asked);
    const isOpen = () => asked.some((code) => state(code)?.name === 'asked');
    let tried = 0;
    for (let guess = 0; guess < 10_000; guess += 1) {
      if (isOpen()) tried += 1;
      words(`yes ${guess.toString(26).padStart(5, 'a').replace(/\d/g, 'b').replaceAll('l', 'b').slice(-5)}`, {
        ...alice,
        channel: 'telegram',
      });
    }
    expect(tried).toBe(5);
    for (const code of asked) expect(state(code)).toMatchObject({ verdict: 'deny', by: 'bridge' });
    clock.advance(61_000);
    expect(words('yes abcde')).toContain('This question is over');
  });

  test('deny after the fifth, every question that was open', () => {
    asking('42', 'abcde', 'fghij');
    for (let count = 1; count < 5; count += 1)
      expect(words('yes zzzzz')).toMatch(/No open question.*`abcde`, `fghij` wait/);
    expect(words('no zzzzz')).toContain('Too many wrong codes');
    for (const code of ['abcde', 'fghij'])
      expect(state(code)).toMatchObject({ verdict: 'deny', by: 'bridge' });
    expect(words('yes abcde')).toBe(
      'This question is over: `abcde` (Bash) was denied by the bridge: too many wrong codes were tried. Nothing was changed.',
    );
  });

  test('mute their sender after the twentieth in a minute, also for the right one', () => {
    asking(undefined);
    for (let count = 0; count < 21; count += 1) {
      dispatcher.dispatch('k', { ...question, code: codes.claim() });
      words('yes zzzzz', client);
    }
    dispatcher.dispatch('k', question);
    expect(words('yes abcde', client)).toContain('ignored for a minute');
    expect(state()).toEqual({ name: 'asked' });
    clock.advance(61_000);
    expect(words('yes abcde', client)).toBe('decided');
  });

  test('are ordinary words while nothing is open', () => {
    asking('42');
    expect(take('ok great')).toBeUndefined();
    expect(take('yes abcde')).toBeUndefined();
  });
});

const question: Ask = {
  type: 'permission.ask',
  code: 'abcde',
  tool: 'Bash',
  input: { command: 'ls' },
  expires_at: 0,
};

describe('an answer that comes too late', () => {
  test('is told who was faster, once, and changes nothing', () => {
    asking('42', 'abcde');
    take('yes abcde', alice, 'alice');
    expect(words('no abcde')).toBe(
      'Already answered: `abcde` (Bash) was allowed in the chat by alice. Nothing was changed.',
    );
    expect(state()).toMatchObject({ verdict: 'allow' });
    expect(session().asks[0]?.told).toBe('outcome');
  });

  test.each([
    ['expiry', { type: 'permission.expire', code: 'abcde' } as const, 'because nobody answered in time'],
    [
      'a yes in the terminal',
      { type: 'permission.ran', code: 'abcde' } as const,
      "was closed: allowed in Claude's terminal, the tool ran",
    ],
    ['the end of the turn', { type: 'turn.rest' } as const, 'was closed: the turn ended (completed)'],
    ['a restart', { type: 'session.recover' } as const, 'was closed: the bridge restarted'],
  ])('after %s', (_, command, expected) => {
    asking('42', 'abcde');
    dispatcher.dispatch('k', command);
    const told = words('yes abcde');
    expect(told).toContain(expected);
    // Only at the terminal was it a person who answered.
    expect(told?.startsWith('Already answered')).toBe(expected.includes('terminal'));
    expect(told?.startsWith('This question is over: `abcde`')).toBe(!expected.includes('terminal'));
  });

  test('of another conversation is none of this one', () => {
    codes.claim('fghij');
    asking('42');
    expect(words('yes fghij')).toContain('belongs to another conversation');
    expect(desk.take(emptySession('new'), 'yes fghij', alice, undefined)).toMatchObject({ kind: 'words' });
    expect(take('yes fghij and more')).toBeUndefined();
  });
});

describe('what needs more than a yes', () => {
  test('a question of Claude’s takes the words behind the code', () => {
    const input = { questions: [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] };
    asking('42', { tool: 'AskUserQuestion', input });
    expect(words('yes abcde')).toMatch(/needs more than a yes[\s\S]*Which\?/);
    expect(words('yes abcde 2')).toBe('decided');
    expect(state()).toMatchObject({ verdict: 'allow', reason: '2' });
  });

  test('two questions of Claude’s need two answers, and a number has to be that of an option', () => {
    const of = (question: string, ...labels: string[]) => ({
      question,
      header: question.slice(0, 3),
      options: labels.map((label) => ({ label, description: `about ${label}` })),
      multiSelect: false,
    });
    const input = { questions: [of('A or B?', 'A', 'B'), of('C or D?', 'C', 'D')] };
    asking('42', { tool: 'AskUserQuestion', input });
    expect(words('yes abcde 1')).toMatch(/question 2 \("C or D\\\?"\) has no answer yet.*`yes abcde 1 2`/);
    expect(words('yes abcde 1 9')).toMatch(/are 1 to 2; there is no 9\./);
    expect(state()).toEqual({ name: 'asked' });
    expect(words('yes abcde １ ２')).toBe('decided');
    expect(state()).toMatchObject({ verdict: 'allow', reason: '１ ２' });
  });

  test('an input of which only the beginning is known is not allowed in a chat', () => {
    asking('42', { input: '{"command":"xxx', cut: true });
    expect(words('yes abcde')).toContain('a chat cannot allow it');
    expect(words('no abcde')).toBe('decided');
  });

  test('a question longer than a message is shown part by part, and a yes counts when all of it was shown', () => {
    const command = Array.from({ length: 100 }, (_, at) => `echo ${at} ${'x'.repeat(20)}`).join('\n');
    asking('42', { input: { command } });
    expect(words('yes abcde')).toMatch(/Not all of this was shown here[\s\S]*`show abcde 2`.*of 3/);
    expect(words('show abcde')).toMatch(/^Part 2 of 3[\s\S]*`show abcde 3`/);
    expect(words('show abcde 2')).toMatch(/^Part 2 of 3/);
    expect(words('yes abcde')).toContain('`show abcde 3`');
    expect(words('SHOW abcde 3')).toMatch(/^Part 3 of 3[\s\S]*echo 99[\s\S]*Approve\? Reply `yes abcde`/);
    expect(words('show abcde 4')).toBe('`abcde` has 3 parts, no part 4.');
    expect(words('yes abcde')).toBe('decided');
    expect(dispatched('permission.decided')).toMatchObject([
      { verdict: 'allow', shown: digestOf({ tool: 'Bash', input: { command }, cut: false }) },
    ]);
    expect(words('show abcde')).toContain('was allowed in the chat');
  });

  test('what was shown elsewhere was not shown in the chat', () => {
    asking('42', { input: { command: 'x'.repeat(2_000) } });
    expect(words('show abcde 2', client)).toContain('has to be answered there');
    expect(words('show abcde 2', { ...alice, forwarded: true })).toContain('forwarded');
    expect(words('yes abcde')).toContain('`show abcde 2`');
    expect(words('show abcde 2', inGroup(bob))).toContain('Part 2 of 2');
    expect(words('yes abcde')).toBe('decided');
  });

  test('no is always enough, and show with a code that is none is a message', () => {
    asking('42', { input: { command: 'x'.repeat(2_000) } });
    expect(take('show plans')).toBeUndefined();
    expect(take('show zzzzz')).toBeUndefined();
    expect(words('no abcde')).toBe('decided');
  });

  test('words behind a yes make it a message', () => {
    asking('42', 'abcde');
    expect(take('yes abcde but show me first')).toBeUndefined();
    expect(state()).toEqual({ name: 'asked' });
  });
});

test('a repeat of an answer belongs to the turn that asked', () => {
  asking('42', 'abcde');
  expect(desk.turnOf(session(), 'yes abcde')).toBe('t');
  expect(desk.turnOf(session(), 'yes fghij')).toBeUndefined();
  expect(desk.turnOf(session(), 'hello')).toBeUndefined();
});
