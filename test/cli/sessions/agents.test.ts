// Agents that work while their session is idle, in every list and sentence of the command line.
import { expect, test } from 'vitest';
import { psLines } from '../../../src/cli/sessions/cells.ts';
import { sorted } from '../../../src/cli/sessions/order.ts';
import { agentsAtWork, endedAgents, stateWords, waitsFor } from '../../../src/cli/sessions/words.ts';
import { evolve } from '../../../src/domain/state/evolve.ts';
import { emptySession } from '../../../src/domain/state/session.ts';
import { sessionRow } from '../../../src/domain/views/session/session-row.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { rowOf } from './row-of.ts';

const noon = Date.UTC(2026, 0, 1, 12);

const began = (task: string, title?: string, kind: 'agent' | 'shell' = 'agent'): SessionEvent => ({
  type: 'task.began',
  task,
  kind,
  hook: 1,
  ...(title !== undefined && { title }),
});

/** The row after these events, of which each happens ten seconds after the one before. */
function rowAfter(...events: SessionEvent[]) {
  const all: SessionEvent[] = [
    { type: 'session.opened', ingress: 'openai' },
    { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] },
    ...events,
  ];
  const session = all.reduce(
    (state, event, at) => evolve(state, event, noon + (at - 2) * 10_000),
    emptySession('notes'),
  );
  return sessionRow(session, 'id');
}

const uses: SessionEvent = {
  type: 'activity',
  agent: 'a1',
  tool_use: 'u',
  tool: 'Bash',
  phase: 'started',
};
const two = rowAfter(began('a1', 'tests'), uses, began('s1', 'npm run dev', 'shell'), began('a2'));

test('a row has the agents that work, with what each began last, and nothing else that runs', () => {
  expect(two).toMatchObject({ state: 'idle', working_since: null });
  expect(two.agents).toEqual([
    { id: 'a1', title: 'tests', since: '2026-01-01T12:00:00.000Z', doing: 'Bash' },
    { id: 'a2', title: null, since: '2026-01-01T12:00:30.000Z', doing: null },
  ]);
  const ended: SessionEvent = { type: 'task.ended', task: 'a1', status: 'completed' };
  expect(rowAfter(began('a1', 'tests'), uses, ended).agents).toEqual([]);
  expect(rowAfter(began('a1'), { type: 'agent.exited', detail: '' }).agents).toEqual([]);
});

test('their words say how many there are, how long each works, and with what', () => {
  expect(stateWords(two)).toBe('idle, 2 agents at work');
  expect(agentsAtWork(two, noon + 80_000)).toBe('2 agents at work: tests 1m20s (Bash), unnamed 50s');
  const [one] = two.agents;
  expect(stateWords({ ...two, agents: one ? [one] : [] })).toBe('idle, 1 agent at work');
  expect([stateWords(rowOf('s')), agentsAtWork(rowOf('s'), noon)]).toEqual(['stopped', '']);
  expect([endedAgents(), endedAgents(0), endedAgents(1), endedAgents(2, 'ends')]).toEqual([
    '',
    '',
    ' This ended 1 agent at work.',
    ' This ends 2 agents at work.',
  ]);
});

test('an idle session waits for them; whatever else it waits for comes first', () => {
  expect(waitsFor(two)).toBe('2 agents');
  expect(waitsFor({ ...two, asking: ['kqzfd'], state: 'asking' })).toBe('you: kqzfd');
  expect(waitsFor({ ...two, state: 'working' })).toBe('Claude');
  expect(waitsFor({ ...two, queued: 1 })).toBe('its start');
  expect(waitsFor({ ...two, agents: [] })).toBe('-');
});

test('ps says so at 80 columns without another width of any column, and lists it with what works', async () => {
  const idle = rowOf('idle', { state: 'idle', agents: [] });
  const busy = rowOf('busy', { state: 'idle', agents: two.agents, touched_at: '2025-01-01T00:00:00.000Z' });
  const [head = '', first = '', second = ''] = await psLines([idle, busy], 80, false);
  expect(first).toMatch(/ busy +idle +2 agents /);
  expect(second).toMatch(/ idle +idle +- /);
  expect([head, first].filter((line) => line.length > 80)).toEqual([]);
  expect(head.split(/ +/)).toEqual((await psLines([idle], 80, false))[0]?.split(/ +/));
  expect(sorted([idle, busy], 'attention', (row) => row).map(({ key }) => key)).toEqual(['busy', 'idle']);
});

test('a bridge of an older release tells of none', () => {
  const { agents: _, ...older } = rowOf('s', { state: 'idle' });
  expect(waitsFor(older as never)).toBe('-');
  expect(stateWords(older as never)).toBe('idle');
  expect(agentsAtWork(older as never, 0)).toBe('');
});
