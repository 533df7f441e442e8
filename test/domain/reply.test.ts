import { expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import {
  emptySession,
  findTurn,
  keptReplies,
  keptTurns,
  owedReplies,
  type Session,
} from '../../src/domain/state/session.ts';
import { endingWords } from '../../src/domain/words/turn-words.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

function after(session: Session, ...commands: Command[]): Session {
  return commands.reduce((before, command) => {
    const decision = decide(before, command, { queued: 100 });
    if ('rejection' in decision) throw new Error(decision.rejection.code);
    return decision.events.reduce((state, event) => evolve(state, event, 1), before);
  }, session);
}

const submit = (turn: string, reply?: string): Command => ({
  type: 'turn.submit',
  turn,
  claude: 'c',
  launch,
  ingress: 'agp',
  text: turn,
  ...(reply !== undefined && { reply: { id: reply, meta: { prompt_id: 'p' } } }),
});

const whole = (turn: string): Command[] => [
  { type: 'prompt.taken', turn, prompt: turn },
  { type: 'turn.rest', prompt: turn, last: `said of ${turn}` },
  { type: 'turn.stopped' },
];

test('a submitted turn owes its reply until it is sent, once', () => {
  const owing = after(emptySession('k'), submit('t1', 'r1'));
  expect(owedReplies(owing)).toEqual([{ id: 'r1', turn: 't1', meta: { prompt_id: 'p' }, sent: false }]);
  const sent = after(owing, { type: 'reply.sent', reply: 'r1' }, { type: 'reply.sent', reply: 'r1' });
  expect(owedReplies(sent)).toEqual([]);
  expect(sent.replies).toHaveLength(1);
});

test('owing the same reply twice changes nothing', () => {
  const owe: Command = { type: 'reply.owe', reply: 'r', words: 'No.', meta: {} };
  const session = after(emptySession('k'), owe, { type: 'reply.sent', reply: 'r' }, owe);
  expect(session.replies).toEqual([{ id: 'r', words: 'No.', meta: {}, sent: true }]);
});

test('what is owed stays, however many turns and replies come after it', () => {
  let session = after(emptySession('k'), submit('first', 'owed'), ...whole('first'));
  for (let i = 0; i < keptTurns + keptReplies + 5; i += 1) {
    const sent: Command = { type: 'reply.sent', reply: `r${i}` };
    session = after(session, submit(`t${i}`, `r${i}`), ...whole(`t${i}`), sent);
  }
  expect(String(findTurn(session, 'first')?.answer.text)).toBe('said of first');
  expect(owedReplies(session).map((reply) => reply.id)).toEqual(['owed']);
  expect(session.replies).toHaveLength(keptReplies + 1);
  expect(session.turns.length).toBeLessThanOrEqual(keptTurns + 1);
});

test.each([
  ['removed', 'Your next message begins a new one.'],
  ['moved', 'Another machine goes on with this conversation.'],
] as const)('a session that is %s ends every turn of it in its words, queued ones, too', (code, words) => {
  const moved = code === 'moved';
  const busy = after(emptySession('k'), submit('t1', 'r1'), submit('t2', 'r2'), {
    type: 'session.remove',
    keep: moved,
    moved,
  });
  const phase = { name: 'settled', outcome: 'cancelled', code };
  expect(busy.turns.map((turn) => turn.phase)).toEqual([phase, phase]);
  expect(busy.turns.map((turn) => endingWords(turn, 'k', busy.claude))).toEqual(
    Array(2).fill(expect.stringContaining(words)),
  );
  expect(busy.removed).toBe(true);
});

test('a reply that was sent between a removal and the next conversation is not owed again by a repeat', () => {
  const owe: Command = { type: 'reply.owe', reply: 'r', words: 'No.', meta: {} };
  const before = after(emptySession('k'), submit('t1'), { type: 'session.remove' });
  const session = after(before, owe, { type: 'reply.sent', reply: 'r' }, submit('t2'), owe);
  expect(session.replies).toEqual([{ id: 'r', words: 'No.', meta: {}, sent: true }]);
});
