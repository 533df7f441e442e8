import { expect, test } from 'vitest';
import { AgentsBeside } from '../../../../../src/bridge/ingress/openai/answer/agents-beside.ts';
import { evolve } from '../../../../../src/domain/state/evolve.ts';
import type { SessionEvent } from '../../../../../src/protocol/events/events.ts';
import { evolved } from '../../../../domain/evolved.ts';

const began: SessionEvent = { type: 'task.began', task: 'a1', kind: 'agent', title: 'tests', hook: 1 };
const asked = (turn: string): SessionEvent => ({
  type: 'permission.asked',
  code: 'kqzfd',
  turn,
  tool: 'Bash',
  input: {},
  expires_at: 0,
});

test('agents are news until they were named, and none while somebody is asked in their turn', () => {
  const after = (...events: SessionEvent[]) =>
    events.reduce((session, event) => evolve(session, event, 0), evolved({}));
  const beside = new AgentsBeside(0);
  beside.look(after(), 't');
  expect(beside.hasNews).toBe(false);
  beside.look(after(began, asked('t')), 't');
  expect(beside.hasNews).toBe(false);
  beside.look(after(began, asked('another')), 't');
  expect(beside.hasNews).toBe(true);
  expect(beside.words('plain')).toBe('(running 1 agent: "tests")');
  expect(beside.hasNews).toBe(false);
});
