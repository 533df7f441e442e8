import { expect, test } from 'vitest';
import { mayInvoke } from '../../../../src/bridge/openclaw/gateway/tool-authority.ts';
import { noAnswer } from '../../../../src/domain/state/answer.ts';
import { emptySession } from '../../../../src/domain/state/session.ts';
import type { Turn } from '../../../../src/domain/state/turn.ts';

const turn: Turn = {
  id: 't',
  ingress: 'openai',
  text: 'delete it',
  sender: { id: '4242' },
  meta: { source_channel: 'telegram', source_chat: 'telegram:4242' },
  adopted: false,
  acceptedAt: 0,
  phase: { name: 'running' },
  answer: noAnswer,
  handed: 0,
  answered: false,
  reads: [],
};

test.each<[string, Partial<Turn>, boolean]>([
  ['what somebody asks for himself', {}, true],
  ['a message that answers another', { quotes: [{ kind: 'answered', text: 'x' }] }, true],
  ['a message that is passed on', { quotes: [{ kind: 'forwarded' }] }, false],
])('out of turn a tool runs with the owner’s rights for %s: %j', (_, fields, expected) => {
  const session = { ...emptySession('agent:main:main'), turns: [{ ...turn, ...fields }] };
  const call = { call: 'c', tool: 'exec', args: {} };
  expect(mayInvoke(session, { ...call, turn: 't' }, [])).toBe(expected);
  expect(mayInvoke(session, call, ['telegram:4242'])).toBe(expected);
});

test.each<[string, Partial<Turn>, boolean]>([
  ['an approver', { origin: 'task' }, true],
  ['somebody else', { origin: 'task', sender: { id: '9001' } }, false],
  ['a run that nobody attends', { origin: 'task', meta: { unattended: 'scheduled run' } }, false],
  ['the operator, who typed', { ingress: 'operator', meta: {} }, true],
])('a turn that Claude goes on with for %s runs tools out of turn: %j', (_, fields, expected) => {
  const begun: Turn = { ...turn, id: 'a', adopted: true, ...fields };
  const session = { ...emptySession('agent:main:main'), turns: [turn, begun] };
  const call = { call: 'c', tool: 'exec', args: {}, turn: 'a' };
  expect(mayInvoke(session, call, ['telegram:4242'])).toBe(expected);
});
