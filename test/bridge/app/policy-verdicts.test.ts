// A call of a lent tool that waits for the yes of those whom the policy names.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Guesses } from '../../../src/bridge/app/desks/guesses.ts';
import { VerdictDesk } from '../../../src/bridge/app/desks/verdict-desk.ts';
import type { Ruling } from '../../../src/domain/policy/ruling.ts';
import type { Voice } from '../../../src/domain/question/approvers.ts';
import { failed } from '../../../src/domain/tools/tool-envelope.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { shown } from '../../support/shown.ts';
import { SmallBridge } from '../../support/small-bridge.ts';
import { until } from '../../support/until.ts';

const key = 'agent:main:telegram:group:-1';
const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
let bridge: SmallBridge;
let desk: VerdictDesk;

beforeEach(() => {
  bridge = new SmallBridge();
  bridge.agent.onPrompt = ({ turn }, session) => bridge.agent.take(session.key, turn);
  desk = new VerdictDesk({
    dispatcher: bridge.dispatcher,
    guesses: new Guesses(new ManualClock()),
    codes: bridge.codes,
    approversFor: () => ['telegram:1', 'telegram:2', 'telegram:3'],
  });
  bridge.dispatcher.dispatch(key, {
    type: 'turn.submit',
    turn: 't1',
    claude: 'c',
    launch,
    ingress: 'openai',
    text: 'go',
    sender: { id: '1' },
    meta: { chat_type: 'group' },
  });
});
afterEach(() => bridge[Symbol.asyncDispose]());

function calls(decision: Ruling['decision'], tool_use = 'u1', call = 'c1', code = 'abcde'): void {
  bridge.agent.report(key, {
    type: 'tool.call',
    call,
    tool: 'exec',
    args: { command: 'date' },
    tool_use,
    ruling: { decision, rule: 1, why: 'rule 1', reason: 'not here' },
    question: { code, expires_at: 0 },
  });
}

const voice = (sender: string, proven = true): Voice => ({
  proven,
  sender,
  channel: 'telegram',
  group: true,
});
const session = () => {
  const found = bridge.dispatcher.session(key);
  if (!found) throw new Error('no session');
  return found;
};
const say = (text: string, who: Voice) => {
  const taken = desk.take(session(), text, who, undefined);
  return taken?.kind === 'words' ? taken.text : taken?.kind;
};
const answered = () => until('the answer to Claude', () => bridge.agent.toolAnswers.length > 0);
const denial = (words: string) => ({ content: JSON.stringify(failed('DENIED', words)), envelope: true });
const gone = () => session().calls.map(({ call, args }) => [call, args]);

test('a call that is asked about goes to the hub after the yes, with what was asked about', () => {
  calls('ask');
  expect([gone(), session().asks[0]?.state.name]).toEqual([[], 'asked']);
  expect(say('yes abcde', voice('1'))).toBe('decided');
  expect(gone()).toEqual([['c1', { command: 'date' }]]);
});

test('a no ends the call in words, and it is never heard of again', async () => {
  calls('ask');
  say('no abcde use another', voice('1'));
  expect(gone()).toEqual([]);
  await answered();
  expect(bridge.agent.toolAnswers).toMatchObject([
    { call: 'c1', ok: false, ...denial('Denied by the user: use another') },
  ]);
});

test('a rule that denies answers at once, and nobody is asked', async () => {
  calls('deny');
  expect([gone(), session().asks]).toEqual([[], []]);
  await answered();
  expect(bridge.agent.toolAnswers).toMatchObject([
    { ok: false, ...denial('Denied by the policy (rule 1): not here.') },
  ]);
});

test('what waits for the operator is answered by no chat and no button', () => {
  calls('operator');
  expect(say('yes abcde', voice('1'))).toContain('Only the operator may answer this');
  expect(say('no abcde', voice('1'))).toContain('Only the operator may answer this');
  const decide = (by: 'gateway' | 'cli') =>
    bridge.dispatcher.dispatch(key, {
      type: 'permission.decide',
      code: 'abcde',
      verdict: 'allow',
      by,
      ...shown(bridge.dispatcher.session(key), 'abcde'),
    }).ok;
  expect([decide('gateway'), gone()]).toEqual([false, []]);
  expect([decide('cli'), gone().length]).toEqual([true, 1]);
});

test('a quorum needs different proven people, counts each once, and tells how many are missing', () => {
  calls({ quorum: 2 });
  expect(say('yes abcde', voice('1'))).toContain('1 of 2');
  expect(say('yes abcde', voice('1'))).toContain('You have said yes before');
  expect(say('yes abcde', voice('4'))).toContain('not among the approvers');
  expect(gone()).toEqual([]);
  expect(say('yes abcde', voice('2'))).toBe('decided');
  expect(gone()).toHaveLength(1);
});

test('one no is enough against a quorum, and the operator’s own yes for it', async () => {
  calls({ quorum: 3 });
  say('yes abcde', voice('1'));
  expect(say('no abcde', voice('2'))).toBe('decided');
  expect(gone()).toEqual([]);
  await answered();
  calls({ quorum: 3 }, 'u2', 'c2', 'fghij');
  const seen = shown(bridge.dispatcher.session(key), 'fghij');
  bridge.dispatcher.dispatch(key, {
    type: 'permission.decide',
    code: 'fghij',
    verdict: 'allow',
    by: 'cli',
    ...seen,
  });
  expect(gone()).toHaveLength(1);
});

test.each([
  ['this very call', { command: 'date' }, ['c2']],
  ['another input', { command: 'date; reboot' }, []],
])('a yes to a question of Claude Code itself counts for that call only, and once: %s', (_, input, gone) => {
  const tool = 'mcp__synthesis__exec';
  const asked = { tool, input, expires_at: 0, tool_use: 'u2' };
  bridge.agent.report(key, { type: 'permission.ask', code: 'fghij', ...asked });
  say('yes fghij', voice('1'));
  calls('ask', 'u1', 'c1', 'aaaaa');
  calls('ask', 'u2', 'c2', 'bbbbb');
  calls('ask', 'u2', 'c3', 'ccccc');
  expect(session().calls.map(({ call }) => call)).toEqual(gone);
});

test('a call that was taken back leaves no question, and ends with its turn', () => {
  calls('ask');
  bridge.agent.report(key, { type: 'tool.cancel', call: 'c1' });
  expect(session().asks[0]?.state.name).toBe('settled');
});
