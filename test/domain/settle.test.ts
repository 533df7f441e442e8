// What ends with a turn, and what does not.
import { expect, test } from 'vitest';
import { type Ending, settle } from '../../src/domain/settle.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, findTurn } from '../../src/domain/state/session.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

const queued = (turn: string): SessionEvent => ({
  type: 'turn.queued',
  turn,
  ingress: 'openai',
  text: turn,
  meta: {},
});
const running: readonly SessionEvent[] = [
  queued('t'),
  { type: 'turn.delivering', turn: 't', attempt: 1 },
  { type: 'turn.running', turn: 't', prompt: 'p' },
];
const joining = (turn: string): readonly SessionEvent[] => [
  queued(turn),
  { type: 'turn.joining', turn, into: 't' },
];
const asked = (more: object = {}): SessionEvent => ({
  type: 'permission.asked',
  code: 'abcde',
  tool: 'Bash',
  input: {},
  expires_at: 1,
  ...more,
});
const called = (more: object = {}): SessionEvent => ({
  type: 'tool.called',
  call: 'c1',
  tool: 'exec',
  args: {},
  ...more,
});

const decided = (verdict: 'allow' | 'deny'): SessionEvent => ({
  type: 'permission.decided',
  code: 'abcde',
  verdict,
  by: 'cli',
  scope: 'once',
});
const sent: SessionEvent = { type: 'permission.sent', code: 'abcde' };

const fold = (events: readonly SessionEvent[]) =>
  events.reduce((before, event) => evolve(before, event, 0), emptySession('k'));

function ends(events: readonly SessionEvent[], ending: Ending, id = 't'): string[] {
  const session = fold(events);
  const turn = findTurn(session, id);
  if (!turn) throw new Error(`no turn ${id}`);
  return settle(session, turn, ending).map((event) =>
    'turn' in event ? `${event.type} ${event.turn}` : event.type,
  );
}

const completed: Ending = { outcome: 'completed', last: 'done' };
const failed: Ending = { outcome: 'failed', code: 'rate_limited' };
const gone: Ending = { outcome: 'failed', code: 'exited' };

test.each(['waits', 'joins'])('a message that Claude has not seen ends alone: it %s', (id) => {
  const session = [...running, ...joining('other'), asked(), ...joining('joins'), queued('waits')];
  expect(ends(session, { outcome: 'cancelled' }, id)).toEqual([`turn.settled ${id}`]);
});

test('what is on its way into a turn ends with it, and the next one is handed over', () => {
  expect(ends([...running, ...joining('joins'), queued('waits')], completed)).toEqual([
    'answer.repaired t',
    'turn.settled joins',
    'turn.settled t',
    'turn.delivering waits',
  ]);
});

test.each<[string, SessionEvent, Ending, boolean]>([
  ['a question of the turn', asked({ turn: 't' }), completed, true],
  ['a question of no turn', asked(), completed, true],
  ['a question of another turn', asked({ turn: 'old' }), failed, false],
  ['a question of an agent', asked({ turn: 't', agent: { id: 'a1' } }), failed, false],
  ['a question about a call', asked({ turn: 't', call: 'c1' }), completed, false],
  ['a question about a call', asked({ turn: 't', call: 'c1' }), failed, true],
  ['a call of the turn', called({ turn: 't' }), completed, false],
  ['a call of the turn', called({ turn: 't' }), failed, true],
  ['a call of no turn', called(), failed, true],
  ['a call of another turn', called({ turn: 'old' }), failed, false],
  ['a call of an agent', called({ turn: 't', agent: 'a1' }), failed, false],
  ['a call of an agent', called({ turn: 't', agent: 'a1' }), gone, true],
  ['a call of another turn', called({ turn: 'old' }), gone, true],
])('%s ends with the turn, or goes on: %j, %j', (_, wait, ending, isOver) => {
  const types = ends([...running, wait], ending);
  expect(types.some((type) => type === 'permission.settled' || type === 'tool.dropped')).toBe(isOver);
});

test.each<[string, SessionEvent[], Ending['outcome'], string]>([
  ['that nobody answered', [], 'failed', 'superseded'],
  ['that nobody answered in time', [], 'expired', 'expired'],
  ['whose no has not reached Claude', [decided('deny')], 'completed', 'superseded'],
  ['whose no has reached Claude', [decided('deny'), sent], 'completed', 'applied'],
  ['whose yes has reached Claude, which did not use it', [decided('allow'), sent], 'completed', 'superseded'],
])('a question %s is over with its turn', (_, events, outcome, is) => {
  const session = fold([...running, asked({ turn: 't' }), ...events]);
  const turn = findTurn(session, 't');
  const over = turn && settle(session, turn, { outcome }).find(({ type }) => type === 'permission.settled');
  expect(over).toMatchObject({ outcome: is });
});
