import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { letThrough } from '../../support/rulings.ts';
import { SmallBridge } from '../../support/small-bridge.ts';
import { until } from '../../support/until.ts';

const system = { role: 'system', content: 'You are a personal assistant running inside OpenClaw.' };
const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];
const body = (text: string) => ({
  model: 'claude',
  stream: true,
  prompt_cache_key: '5f0c7a52-1111-4222-8333-444455556666:0',
  messages: [system, { role: 'user', content: `[Sat 2026-11-21 00:10 UTC] ${text}` }],
  tools,
});

/** What OpenClaw's runner makes of a message whose first attempt failed. */
const retried = (text: string) =>
  `[Queued user message from a previous active turn; preserved as context only. Continue with the active prompt below.]\n${text}\n\nContinue the current task from the existing transcript, preserving completed work. If an action was interrupted, inspect its state before deciding whether to retry it. Do not restart the task or repeat completed actions.`;

/** A turn of OpenClaw's that runs, and the means to hang up on it. */
async function running(bridge: SmallBridge, text = 'work') {
  bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
  const aborted = new AbortController();
  const response = await bridge.post(body(text), { signal: aborted.signal });
  const { prompt, session } = await until('the prompt', () => bridge.agent.prompts.at(-1));
  await until('the turn', () => bridge.dispatcher.session(session.key)?.turns[0]?.phase.name === 'running');
  return { key: session.key, turn: prompt.turn, hangUp: () => aborted.abort(), response };
}

const cancelled = (bridge: SmallBridge, key: string) => bridge.dispatcher.session(key)?.turns[0]?.cancelledBy;

test('when the hub hangs up and stays away, Claude is interrupted', async () => {
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ clock });
  const { key, turn, hangUp } = await running(bridge);
  hangUp();
  await until('the grace time', () => clock.timers === 1);
  clock.advance(9_900);
  expect(cancelled(bridge, key)).toBeUndefined();
  clock.advance(200);
  expect(cancelled(bridge, key)).toBe('the client hung up');
  await until('Esc', () => bridge.agent.interrupted.includes(key));

  bridge.agent.say(key, turn, 'half of it');
  bridge.agent.report(key, { type: 'turn.idle', interrupted: true });
  bridge.agent.onPrompt = (prompt) => {
    bridge.agent.take(key, prompt.turn);
    bridge.agent.endTurn(key, prompt.turn, 'the new answer');
  };
  const next = await (await bridge.post({ ...body('something else'), stream: false })).json();
  const { content } = (next as { choices: [{ message: { content: string } }] }).choices[0].message;
  expect(content).toMatch(/^_\(your earlier message "work" was stopped;.*\n\nthe new answer$/);
});

describe('a hub that went away has stopped nothing', () => {
  test('when its gateway was lost with it', async () => {
    const clock = new ManualClock();
    await using bridge = await SmallBridge.start({ clock });
    const { key, turn, hangUp } = await running(bridge);
    clock.advance(60_000);
    hangUp();
    await until('the grace time', () => clock.timers === 1);
    clock.advance(1_000);
    bridge.hub.lostAt = clock.now();
    clock.advance(9_100);
    expect([cancelled(bridge, key), clock.timers]).toEqual([undefined, 0]);
    bridge.agent.say(key, turn, 'it went on');
    bridge.agent.endTurn(key, turn);
    const restarted =
      "[System] Your previous turn was interrupted by a gateway restart while OpenClaw was waiting on tool/model work. The restart did not cancel the user's task.";
    expect(await (await bridge.post(body(restarted))).text()).toContain('it went on');
    expect(bridge.agent.prompts).toHaveLength(1);
  });

  test('when its gateway had not been reached yet since it was lost before, and is found gone', async () => {
    const clock = new ManualClock();
    await using bridge = await SmallBridge.start({ clock });
    const { key, hangUp } = await running(bridge);
    bridge.hub.lostAt = clock.now();
    clock.advance(60_000);
    bridge.hub.look = () => {
      bridge.hub.lostAt = clock.now();
    };
    hangUp();
    await until('the grace time', () => clock.timers === 1);
    clock.advance(10_100);
    expect([cancelled(bridge, key), clock.timers]).toEqual([undefined, 0]);
  });

  test('unless its gateway was lost long before', async () => {
    const clock = new ManualClock();
    await using bridge = await SmallBridge.start({ clock });
    const { key, hangUp } = await running(bridge);
    bridge.hub.lostAt = clock.now();
    clock.advance(60_000);
    hangUp();
    await until('the grace time', () => clock.timers === 1);
    clock.advance(10_100);
    expect(cancelled(bridge, key)).toBe('the client hung up');
  });

  /** Two conversations whose answers are being read. */
  async function two(bridge: SmallBridge) {
    const hungUp = [new AbortController(), new AbortController()];
    bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
    for (const [at, { signal }] of hungUp.entries())
      await bridge.post(
        { ...body('work'), prompt_cache_key: `5f0c7a52-1111-4222-8333-44445555666${at}:0` },
        { signal },
      );
    const sessions = await until('both turns', () => {
      const all = bridge.dispatcher.sessions();
      return all.length === 2 && all.every(({ turns }) => turns[0]?.phase.name === 'running') && all;
    });
    return { hungUp, keys: sessions.map(({ key }) => key) };
  }

  test('when all it read ended at once', async () => {
    const clock = new ManualClock();
    await using bridge = await SmallBridge.start({ clock });
    const { hungUp, keys } = await two(bridge);
    for (const each of hungUp) each.abort();
    await until('the grace times', () => clock.timers === 2);
    clock.advance(70_000);
    expect([...keys.map((key) => cancelled(bridge, key)), clock.timers]).toEqual([undefined, undefined, 0]);
  });

  test('but one that two people stopped, one after the other, is still there', async () => {
    const clock = new ManualClock();
    await using bridge = await SmallBridge.start({ clock });
    const { hungUp, keys } = await two(bridge);
    for (const [at, each] of hungUp.entries()) {
      each.abort();
      await until('the grace time', () => clock.timers === at + 1);
      clock.advance(300);
    }
    clock.advance(11_000);
    expect(keys.map((key) => cancelled(bridge, key))).toEqual(['the client hung up', 'the client hung up']);
  });

  test('but one that still reads another answer is still there', async () => {
    const clock = new ManualClock();
    await using bridge = await SmallBridge.start({ clock });
    const { hungUp, keys } = await two(bridge);
    const third = { ...body('more'), prompt_cache_key: '5f0c7a52-1111-4222-8333-444455556669:0' };
    await bridge.post(third);
    clock.advance(1_000);
    for (const each of hungUp) each.abort();
    await until('the grace times', () => clock.timers === 2);
    clock.advance(11_000);
    expect(keys.map((key) => cancelled(bridge, key))).toEqual(['the client hung up', 'the client hung up']);
  });
});

test('a tool that the bridge runs is nothing that the hub would be waited for', async () => {
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ clock });
  const { key, hangUp } = await running(bridge);
  const call = { call: 'c1', tool: 'notes_search', args: {}, provider: 'notes', ruling: letThrough };
  bridge.agent.report(key, { type: 'tool.call', ...call });
  hangUp();
  await until('the grace time', () => clock.timers === 1);
  clock.advance(10_100);
  expect(cancelled(bridge, key)).toBe('the client hung up');
});

test('a hub that comes back within the time goes on reading, and gets longer the next time', async () => {
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ clock });
  const { key, turn, hangUp } = await running(bridge);
  hangUp();
  await until('the grace time', () => clock.timers === 1);
  const again = new AbortController();
  await bridge.post(body('work'), { signal: again.signal });
  await until('nobody waits to stop it', () => clock.timers === 0);
  again.abort();
  await until('the second grace time', () => clock.timers === 1);
  clock.advance(50_000);
  expect(cancelled(bridge, key)).toBeUndefined();
  const third = bridge.post(body('work'));
  bridge.agent.say(key, turn, 'still here');
  bridge.agent.endTurn(key, turn);
  expect(await (await third).text()).toContain('still here');
  expect([bridge.agent.prompts.length, bridge.agent.interrupted]).toEqual([1, []]);
});

test('a hub that failed before a tool call gets the longer time after it', async () => {
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ clock });
  const { key, hangUp } = await running(bridge);
  hangUp();
  await until('the grace time', () => clock.timers === 1);
  const second = bridge.post(body('work'));
  await until('nobody waits to stop it', () => clock.timers === 0);
  bridge.agent.report(key, { type: 'tool.call', call: 'call1', tool: 'read', args: {}, ruling: letThrough });
  expect(await (await second).text()).toContain('tool_calls');
  const call = { id: 'call1', type: 'function', function: { name: 'read', arguments: '{}' } };
  const results = [
    ...body('work').messages,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call1', content: 'done' },
  ];
  const third = new AbortController();
  await bridge.post({ ...body('work'), messages: results }, { signal: third.signal });
  third.abort();
  await until('the later grace time', () => clock.timers === 1);
  clock.advance(50_000);
  expect(cancelled(bridge, key)).toBeUndefined();
});

test('Claude that waits for a tool of the hub is left waiting longer', async () => {
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ clock });
  const { key, hangUp } = await running(bridge);
  bridge.agent.report(key, { type: 'tool.call', call: 'call1', tool: 'read', args: {}, ruling: letThrough });
  hangUp();
  await until('the grace time', () => clock.timers === 1);
  clock.advance(60_000);
  expect(cancelled(bridge, key)).toBeUndefined();
  clock.advance(11_000);
  expect(cancelled(bridge, key)).toBe('the client hung up');
});

test('a hub that says that an attempt failed gets the longer time, although that one never got here', async () => {
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ clock });
  const { key, hangUp } = await running(bridge, retried('work'));
  expect(bridge.agent.prompts[0]?.prompt.text).toBe('work');
  hangUp();
  await until('the grace time', () => clock.timers === 1);
  clock.advance(50_000);
  expect(cancelled(bridge, key)).toBeUndefined();
  clock.advance(11_000);
  expect(cancelled(bridge, key)).toBe('the client hung up');
});

test('a connection that dies after the hub has come back on another stops nothing', async () => {
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ clock });
  const { key, turn, hangUp } = await running(bridge);
  const second = await bridge.post(body('work'));
  hangUp();
  bridge.agent.say(key, turn, 'still here');
  bridge.agent.endTurn(key, turn);
  expect(await second.text()).toContain('still here');
  expect([clock.timers, cancelled(bridge, key)]).toEqual([0, undefined]);
});

test('a plain client that hangs up stops nothing: its answer is kept', async () => {
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ clock });
  bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
  const aborted = new AbortController();
  const plain = { model: 'claude', stream: true, messages: [{ role: 'user', content: 'work' }] };
  await bridge.post(plain, { headers: { 'x-synthesis-session': 's' }, signal: aborted.signal });
  aborted.abort();
  const { turn } = (await until('the prompt', () => bridge.agent.prompts[0])).prompt;
  bridge.agent.say('s', turn, 'kept for you');
  bridge.agent.endTurn('s', turn);
  bridge.agent.onPrompt = (prompt, { key }) => {
    bridge.agent.take(key, prompt.turn);
    bridge.agent.endTurn(key, prompt.turn, 'and this');
  };
  const next = { model: 'claude', messages: [{ role: 'user', content: 'next' }] };
  const answer = await (await bridge.post(next, { headers: { 'x-synthesis-session': 's' } })).text();
  expect(answer).toContain('and this');
  expect([clock.timers, bridge.agent.interrupted]).toEqual([0, []]);
});
