// OpenClaw's approval cards against a gateway of our own, which is strict. The journal is the witness of every verdict.
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HubBridge, main, textOf } from '../../../support/hub-bridge.ts';
import { OpenClawGateway } from '../../../support/openclaw-gateway.ts';
import { until } from '../../../support/until.ts';

const code = 'abcde';
let gateway: OpenClawGateway;
let bridge: HubBridge;

beforeEach(async () => {
  gateway = await OpenClawGateway.start();
  bridge = await HubBridge.start(gateway);
});

afterEach(async () => {
  await bridge[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  expect(gateway.faults).toEqual([]);
});

const decided = (count = 1) => until('the verdict', () => bridge.verdicts(code).length === count);

test.each([
  ['allow-once', 'allow'],
  ['deny', 'deny'],
] as const)('a press on %s is the verdict, and the response stays open', async (decision, verdict) => {
  const turn = await bridge.message();
  const response = bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  expect(card.request).toMatchObject({
    title: 'Claude: Bash (abcde)',
    description: 'npm test',
    sessionKey: main,
    agentId: 'main',
    turnSourceChannel: 'telegram',
    turnSourceTo: '4242',
    turnSourceAccountId: 'default',
    timeoutMs: 600_000,
  });
  bridge.clock.advance(10_000);
  await setImmediate();
  expect(response.end).toBeUndefined();
  card.end(decision, 'channel');
  await decided();
  bridge.finish(turn, 'went on');
  await until('the end', () => response.end === 'settled');
  expect(textOf(response)).toBe('went on');
  expect(bridge.verdicts(code)).toMatchObject([{ verdict, by: 'gateway' }]);
  expect(bridge.bridge.agent.permissions).toMatchObject([{ code, verdict }]);
  expect(gateway.sent).toEqual([]);
});

test('a question that comes together with other news is asked by its card alone', async () => {
  const turn = await bridge.message();
  const response = bridge.read(turn);
  await setImmediate();
  // Two hooks in one step: the first wakes whoever reads, who then sees the second as well.
  bridge.leave('errand');
  bridge.ask(code);
  const card = await gateway.card(code);
  await setImmediate();
  expect(response.end).toBeUndefined();
  card.end('allow-once', 'channel');
  await decided();
});

test('a question that was answered elsewhere closes its card, which shows the answer', async () => {
  const turn = await bridge.message();
  bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  bridge.decide(code, 'deny');
  await card.over;
  expect(card).toMatchObject({ decision: 'deny', resolvedBy: 'synthesis' });
  card.end('allow-once', 'channel');
  await setImmediate();
  expect(bridge.verdicts(code)).toMatchObject([{ verdict: 'deny', by: 'cli' }]);
  expect(gateway.sent).toEqual([]);
});

test('a yes in Claude’s terminal is shown as a yes', async () => {
  const turn = await bridge.message();
  bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  bridge.bridge.agent.report(main, { type: 'permission.ran', code });
  await card.over;
  expect(card.decision).toBe('allow-once');
  expect(bridge.verdicts(code)).toEqual([]);
});

test('whoever presses a moment too late is told so in the chat, and there is one verdict', async () => {
  const turn = await bridge.message();
  bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  card.end('allow-once', 'channel');
  bridge.decide(code, 'deny');
  const { message, to } = await gateway.told('Already answered');
  expect(message).toContain('`abcde` (Bash) was denied by the operator');
  expect(to).toBe('4242');
  expect(bridge.verdicts(code)).toMatchObject([{ verdict: 'deny', by: 'cli' }]);
});

test('after a minute text asks, too; the card still counts, and closes when the text is answered', async () => {
  const turn = await bridge.message();
  const response = bridge.read(turn);
  bridge.ask(code);
  await gateway.card(code);
  await bridge.later('the question in words', () => response.end === 'question');
  expect(gateway.sent).toEqual([]);
  const card = await gateway.card(code);
  card.end('allow-once', 'channel');
  await decided();
  bridge.ask('bcdef');
  const next = await gateway.card('bcdef');
  bridge.decide('bcdef', 'allow', 'chat');
  await next.over;
  expect(next.decision).toBe('allow-once');
});

test('when somebody writes on, text asks at once: the open response would hold that message back', async () => {
  const turn = await bridge.message();
  const response = bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  await setImmediate();
  bridge.hub.messageComes('agent:main:other');
  await setImmediate();
  expect(response.end).toBeUndefined();
  bridge.hub.messageComes(main);
  await until('the question in words', () => response.end === 'question');
  // The button still counts.
  card.end('allow-once', 'channel');
  await decided();
});

test('a card that expires leaves the question to the text', async () => {
  const turn = await bridge.message();
  const response = bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  card.end(null);
  await until('the question in words', () => response.end === 'question');
  expect(bridge.verdicts(code)).toEqual([]);
});

test('without a chat that shows cards text asks at once', async () => {
  gateway.routes = false;
  const turn = await bridge.message();
  const response = bridge.read(turn);
  bridge.ask(code);
  await until('the question in words', () => response.end === 'question');
});

test('a gateway that does not answer holds a question up for five seconds', async () => {
  gateway.mute.add('plugin.approval.request');
  const turn = await bridge.message();
  const response = bridge.read(turn);
  bridge.ask(code);
  await setImmediate();
  bridge.clock.advance(4_999);
  await setImmediate();
  expect(response.end).toBeUndefined();
  bridge.clock.advance(1);
  await until('the question in words', () => response.end === 'question');
});

test.each([
  ['longer than a card', 'Bash', { command: 'x'.repeat(513) }],
  ['to be chosen from', 'AskUserQuestion', { questions: [{ question: 'Which?', options: [] }] }],
])('what is %s is asked by text', async (_, tool, input) => {
  const turn = await bridge.message();
  const response = bridge.read(turn);
  bridge.ask(code, '', { tool, input });
  await until('the question in words', () => response.end === 'question');
  expect(gateway.cards).toEqual([]);
});

test('while the gateway is away text asks', async () => {
  await gateway.stop();
  await until('the loss', () => bridge.hub.status?.state === 'reconnecting');
  const turn = await bridge.message();
  const response = bridge.read(turn);
  bridge.ask(code);
  await until('the question in words', () => response.end === 'question');
  expect(bridge.decide(code, 'allow', 'chat')).toBe(true);
});

test('when the connection breaks text asks; what was pressed meanwhile counts after the return', async () => {
  const turn = await bridge.message();
  const response = bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  gateway.cut();
  await until('the question in words', () => response.end === 'question');
  card.end('deny', 'channel');
  await bridge.later('the verdict', () => bridge.verdicts(code).length > 0);
  expect(bridge.verdicts(code)).toMatchObject([{ verdict: 'deny', by: 'gateway' }]);
});

test('an answer that was given while the gateway was away is shown on the card after its return', async () => {
  const turn = await bridge.message();
  bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  gateway.cut();
  await until('the loss', () => bridge.hub.status?.state === 'reconnecting');
  bridge.decide(code, 'allow');
  await bridge.later('the card to be closed', () => card.decision !== undefined);
  expect(card.decision).toBe('allow-once');
  expect(bridge.verdicts(code)).toHaveLength(1);
});

test('a gateway that restarts forgets the card; the question lives on, by text', async () => {
  const turn = await bridge.message();
  const response = bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  await gateway.stop();
  await until('the question in words', () => response.end === 'question');
  await gateway.listen();
  await bridge.later('the return', () => bridge.hub.status?.state === 'connected');
  card.end('allow-once', 'a stale button');
  await setImmediate();
  expect(bridge.verdicts(code)).toEqual([]);
  expect(bridge.decide(code, 'deny', 'chat')).toBe(true);
  expect(bridge.verdicts(code)).toMatchObject([{ verdict: 'deny', by: 'chat' }]);
});

test('a bridge that was killed leaves no card open: its successor closes it, and touches nobody else’s', async () => {
  const turn = await bridge.message();
  bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  const other = await HubBridge.start(gateway);
  await other.message();
  other.ask('zzzzz');
  const foreign = await gateway.card('zzzzz');
  const { journal } = bridge.bridge;
  gateway.cut();
  await using successor = new HubBridge({ gateway, journal });
  successor.bridge.dispatcher.dispatch(main, { type: 'session.recover' });
  successor.hub.start();
  await until('the card to be closed', () => card.decision !== undefined);
  expect(card.decision).toBe('deny');
  expect(foreign.decision).toBeUndefined();
  expect(successor.verdicts(code)).toEqual([]);
  await other[Symbol.asyncDispose]();
});

test('when the bridge stops, open cards are closed before it hangs up', async () => {
  const turn = await bridge.message();
  bridge.read(turn);
  bridge.ask(code);
  const card = await gateway.card(code);
  bridge.bridge.agent.report(main, { type: 'agent.exited', detail: 'stopped', failure: 'shutting_down' });
  await bridge.hub.close();
  expect(card.decision).toBe('deny');
});

test('however buttons, doors and connections interleave, a question has one verdict and nobody is left with another', async () => {
  for (let round = 0; round < 30; round += 1) {
    const name = `q${'abcdefghij'[round % 10]}${'abc'[Math.floor(round / 10)]}xy`;
    const turn = await bridge.message();
    const response = bridge.read(turn, `r${round}`);
    const before = gateway.sent.length;
    const { connections } = gateway;
    const cut = round % 5 === 0;
    bridge.ask(name);
    const card = await gateway.card(name);
    const acts = [
      () => card.end(round % 3 === 0 ? 'deny' : 'allow-once', 'channel'),
      () => void bridge.decide(name, round % 2 === 0 ? 'allow' : 'deny', 'chat'),
      () => (cut ? gateway.cut() : void bridge.decide(name, 'deny', 'expiry')),
    ];
    for (const act of shuffled(acts, round)) {
      act();
      if (round % 4 === 0) await setImmediate();
    }
    await bridge.later('peace', () => {
      const isBack = !cut || gateway.connections > connections;
      return isBack && card.decision !== undefined && bridge.hub.status?.state === 'connected';
    });
    const [verdict, ...more] = bridge.verdicts(name);
    expect(more).toEqual([]);
    const shown = card.decision === 'allow-once' ? 'allow' : 'deny';
    if (verdict?.verdict !== shown)
      await until(`round ${round}: the truth`, () =>
        gateway.sent.slice(before).some(({ message }) => message.includes(name)),
      );
    bridge.finish(turn, 'over');
    await until('the end', () => response.end !== undefined);
  }
}, 60_000);

/** Another order for each round, the same in every run. */
function shuffled<T>(list: readonly T[], round: number): T[] {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  return (orders[(round * 7) % orders.length] ?? []).flatMap((at) => list[at] ?? []);
}
