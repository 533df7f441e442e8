// For whom Claude speaks when it begins a turn by itself.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { isForChat } from '../../src/domain/state/errands.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, findTurn, keptErrands, type Session } from '../../src/domain/state/session.ts';
import type { Turn } from '../../src/domain/state/turn.ts';
import { endingWords, lateAnswerHead } from '../../src/domain/words/turn-words.ts';
import { SessionEvent } from '../../src/protocol/events/events.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

function after(session: Session, ...commands: Command[]): Session {
  return commands.reduce((before, command) => {
    const decision = decide(before, command, { queued: 100 });
    if ('rejection' in decision) throw new Error(decision.rejection.code);
    // What is stored is what is folded.
    const stored = decision.events.map((event) => SessionEvent.parse(JSON.parse(JSON.stringify(event))));
    return stored.reduce((state, event) => evolve(state, event, 1), before);
  }, session);
}

/** Who asks: three chats, a run that nobody attends, the operator. */
const askers = {
  alice: { ingress: 'openai', meta: { source_channel: 'telegram', source_chat: '1' }, sender: { id: '1' } },
  bob: { ingress: 'openai', meta: { source_channel: 'discord', source_chat: '2' }, sender: { id: '2' } },
  wechat: { ingress: 'agp', meta: { source_channel: 'agp', source_chat: 's' } },
  cron: { ingress: 'openai', meta: { source_chat: '1', unattended: 'scheduled run' } },
  operator: { ingress: 'operator', meta: {} },
} as const;
type Asker = keyof typeof askers;
const chats: readonly Asker[] = ['alice', 'bob', 'wechat'];

const asks = (turn: string, who: Asker): Command[] => [
  { type: 'turn.submit', turn, claude: 'c', launch, text: turn, ...askers[who] },
  { type: 'prompt.taken', turn, prompt: turn },
];
const leaves = (name: string, by: 'task' | 'wakeup' = 'task'): Command => ({
  type: 'tool.activity',
  tool_use: name,
  tool: 'Bash',
  phase: 'succeeded',
  errand: { by, name },
});
const tells = (turn: string, name: string, by: 'task' | 'wakeup' = 'task'): Command => ({
  type: 'prompt.foreign',
  turn,
  prompt: turn,
  text: 'x',
  errand: { by, name },
});
const ends = (turn: string): Command => ({ type: 'turn.rest', prompt: turn });

const adopted = (session: Session, id: string): Turn => {
  const turn = findTurn(session, id);
  if (!turn?.adopted) throw new Error(`${id} was not adopted`);
  return turn;
};

const anyStep = fc.record({
  who: fc.constantFrom<Asker>('alice', 'bob', 'wechat', 'cron', 'operator'),
  /** How many messages of others come between a task's beginning and its end: its turn may be forgotten. */
  later: fc.integer({ min: 0, max: 12 }),
  /** Claude leaves another task behind each time it hears of one. */
  chain: fc.integer({ min: 0, max: 3 }),
});

test('Claude speaks to the chat whose message left the task behind, however long ago, and to nobody for others', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 5 }), (steps) => {
      let session = emptySession('k');
      for (const [at, { who }] of steps.entries())
        session = after(session, ...asks(`t${at}`, who), leaves(`task${at}.0`), ends(`t${at}`));
      for (const [at, { who, later, chain }] of steps.entries()) {
        for (let i = 0; i < later; i += 1)
          session = after(session, ...asks(`l${at}.${i}`, 'bob'), ends(`l${at}.${i}`));
        for (let link = 0; link <= chain; link += 1) {
          const id = `a${at}.${link}`;
          session = after(session, tells(id, `task${at}.${link}`), leaves(`task${at}.${link + 1}`), ends(id));
          const turn = adopted(session, id);
          const { ingress, meta, sender } = { sender: undefined, ...askers[who] };
          expect(turn).toMatchObject({ origin: 'task', ingress, meta });
          expect(turn.sender).toEqual(sender);
          expect(isForChat(turn)).toBe(chats.includes(who));
        }
      }
    }),
  );
});

test.each<[string, Command[], Command]>([
  ['typed words', [], { type: 'prompt.foreign', turn: 'a', prompt: 'a', text: 'hello' }],
  ['a task that nobody has seen begin', [], tells('a', 'unknown')],
  ['a task under the name of a wake-up', [leaves('n', 'wakeup')], tells('a', 'n', 'task')],
  ['a wake-up under the name of a task', [leaves('n', 'task')], tells('a', 'n', 'wakeup')],
])('%s are for no chat', (_, during, prompt) => {
  const session = after(emptySession('k'), ...asks('t', 'alice'), ...during, ends('t'), prompt);
  expect(adopted(session, 'a')).toMatchObject({ ingress: 'operator', meta: {} });
  expect(adopted(session, 'a').origin).toBeUndefined();
  expect(isForChat(adopted(session, 'a'))).toBe(false);
});

test('a task is known by its own name or by its tool use, and is no other one', () => {
  const errand = (name: string, task: string) => ({ errand: { by: 'task' as const, name, task } });
  const left = after(
    emptySession('k'),
    ...asks('t', 'alice'),
    { ...leaves('u1'), ...errand('u1', 'b1') } as Command,
    ends('t'),
    ...asks('s', 'bob'),
    { ...leaves('u2'), ...errand('u2', 'b2') } as Command,
    ends('s'),
  );
  const told = (name: string, task: string) =>
    adopted(after(left, { ...tells('a', name), ...errand(name, task) } as Command), 'a').sender?.id;
  expect(left.errands).toHaveLength(2);
  expect([told('', 'b1'), told('', 'b2'), told('u2', 'other'), told('', 'other')]).toEqual([
    askers.alice.sender.id,
    askers.bob.sender.id,
    askers.bob.sender.id,
    undefined,
  ]);
});

test('the words of a wake-up are nobody’s while somebody may have typed them', () => {
  const set = after(emptySession('k'), ...asks('t', 'alice'), leaves('n', 'wakeup'), ends('t'));
  expect(adopted(after(set, tells('a', 'n', 'wakeup')), 'a').origin).toBe('wakeup');
  const driven = evolve(set, { type: 'lease.taken', lease: 'l', by: 'me' }, 1);
  expect(adopted(after(driven, tells('a', 'n', 'wakeup')), 'a').origin).toBeUndefined();
  expect(isForChat(adopted(after(driven, leaves('m'), tells('a', 'm')), 'a'))).toBe(false);
});

test('a task of a chat is told although somebody drives the terminal', () => {
  const set = after(emptySession('k'), ...asks('t', 'alice'), leaves('n'), ends('t'));
  const driven = evolve(set, { type: 'lease.taken', lease: 'l', by: 'me' }, 1);
  expect(isForChat(adopted(after(driven, tells('a', 'n')), 'a'))).toBe(true);
});

test('what was left behind is remembered within limits, the newest of one name', () => {
  let session = after(emptySession('k'), ...asks('t', 'alice'));
  for (let i = 0; i < keptErrands + 9; i += 1) session = after(session, leaves(`n${i}`), leaves('again'));
  expect(session.errands).toHaveLength(keptErrands);
  expect(session.errands.filter(({ name }) => name === 'again')).toHaveLength(1);
});

test('a journal from before is read as it was', () => {
  const old = SessionEvent.parse({
    type: 'turn.adopted',
    turn: 'a',
    text: '<task-notification>',
    prompt: 'p',
  });
  const turn = adopted(evolve(emptySession('k'), old, 1), 'a');
  expect(turn).toMatchObject({ ingress: 'operator', meta: {}, adopted: true });
  expect(isForChat(turn)).toBe(false);
});

test('the end of such a turn is said only where something is missing', () => {
  const begun = after(emptySession('k'), ...asks('t', 'alice'), leaves('n'), ends('t'), tells('a', 'n'));
  const said = (command: Command) => endingWords(adopted(after(begun, command), 'a'), 'k', undefined);
  expect(said({ type: 'turn.rest', prompt: 'a' })).toBe('');
  expect(said({ type: 'turn.failed', prompt: 'a', code: 'rate_limited', detail: 'x' })).toContain(
    '`rate_limited`',
  );
  const stopped = after(begun, { type: 'turn.cancel', turn: 'a', by: 'me' });
  expect(isForChat(adopted(stopped, 'a'))).toBe(false);
  const escaped = after(begun, { type: 'turn.idle', interrupted: true });
  expect(isForChat(adopted(escaped, 'a'))).toBe(false);
  expect(lateAnswerHead(adopted(begun, 'a'))).toContain('background task');
});
