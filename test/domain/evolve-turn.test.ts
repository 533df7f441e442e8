// What the session keeps of its turns.
import { expect, test } from 'vitest';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, findTurn, type Session } from '../../src/domain/state/session.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

const fold = (events: readonly SessionEvent[], from: Session = emptySession('k')) =>
  events.reduce((session, event) => evolve(session, event, 0), from);
const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
const queued = (turn: string): SessionEvent => ({
  type: 'turn.queued',
  turn,
  ingress: 'openai',
  text: turn,
  meta: {},
});
const runs = (prompt?: string): SessionEvent => ({
  type: 'turn.running',
  turn: 't',
  ...(prompt !== undefined && { prompt }),
});
const phase = (...events: SessionEvent[]) => findTurn(fold([queued('t'), ...events]), 't')?.phase;

test('a Claude that took a message has something to go on with', () => {
  const opened = fold([{ type: 'session.claude', claude: 'c', launch }, queued('t')]);
  expect([opened.claude?.prompted, fold([runs()], opened).claude?.prompted]).toEqual([false, true]);
});

test('a turn names its newest prompt, and keeps those before once each, also when it is over', () => {
  const now = [runs(), runs('A'), runs('A'), runs('B'), runs('C')];
  expect(phase(...now)).toEqual({ name: 'running', prompt: 'C', earlier: ['A', 'B'] });
  expect(phase(...now, { type: 'turn.settled', turn: 't', outcome: 'completed' })).toEqual({
    name: 'settled',
    outcome: 'completed',
    prompt: 'C',
    earlier: ['A', 'B'],
  });
});

test('what was typed was taken when a turn begins, and not when it only gets its prompt', () => {
  const held: SessionEvent = { type: 'prompt.held', text: 'by hand' };
  expect(fold([queued('t'), held, runs()]).held).toEqual([]);
  expect(fold([queued('t'), runs(), held, runs('p')]).held).toEqual(['by hand']);
});

test('a reader that ends with calls has the calls of its turn, and no others', () => {
  const called = (call: string, turn: string): SessionEvent => ({
    type: 'tool.called',
    call,
    tool: 'exec',
    args: {},
    turn,
  });
  const closes = (why: 'tool_calls' | 'finished', request: string, offset: number): SessionEvent => ({
    type: 'reader.closed',
    turn: 't',
    request,
    start: 0,
    offset,
    why,
  });
  const open = [queued('t'), called('c1', 't'), called('c2', 'other')];
  const handed = (session: Session) => session.calls.flatMap((call) => (call.handed ? [call.call] : []));
  expect(handed(fold([...open, closes('tool_calls', 'r', 3)]))).toEqual(['c1']);
  expect(handed(fold([...open, closes('finished', 'r', 3)]))).toEqual([]);
  const read = fold([...open, closes('finished', 'r', 5), closes('tool_calls', 'r', 3)]);
  expect(findTurn(read, 't')).toMatchObject({
    handed: 5,
    answered: true,
    reads: [{ request: 'r', start: 0 }],
  });
});

test('what is withdrawn leaves nothing', () => {
  const response: SessionEvent = { type: 'response.opened', response: 'r', turn: 't', model: 'm', input: [] };
  const others = [queued('t'), queued('o'), { ...response, response: 'q', turn: 'o' }, response];
  const { turns, responses } = fold([...others, { type: 'turn.withdrawn', turn: 't' }]);
  expect([turns.map(({ id }) => id), responses.map(({ id }) => id)]).toEqual([['o'], ['q']]);
});

test('a response can be continued until the next message of such a client, whatever others say', () => {
  const response: SessionEvent = { type: 'response.opened', response: 'r', turn: 't', model: 'm', input: [] };
  const read = fold([queued('t'), response]);
  const message = (ingress: 'openai' | 'agp'): SessionEvent => ({
    type: 'turn.queued',
    turn: 'o',
    ingress,
    text: 'o',
    meta: {},
  });
  const origin = { by: 'task', ingress: 'openai', meta: {} } as const;
  const begun: SessionEvent = { type: 'turn.adopted', turn: 'o', text: '', origin };
  expect(read.newest).toBe('r');
  expect([message('agp'), begun, message('openai')].map((event) => fold([event], read).newest)).toEqual([
    'r',
    'r',
    undefined,
  ]);
});
