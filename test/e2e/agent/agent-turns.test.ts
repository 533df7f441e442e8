// A session's turns against the simulated Claude in a real terminal.
import { afterEach, describe, expect, test } from 'vitest';
import type { LocalToolShelf, LocalTools } from '../../../src/bridge/claude/options.ts';
import { until } from '../../support/until.ts';
import { AgentWorld, type WorldOptions } from '../support/agent-world.ts';

let world: AgentWorld;
afterEach(() => world[Symbol.asyncDispose]());
const open = async (options?: WorldOptions) => {
  world = await AgentWorld.open(options);
};

const development = { development: true };

describe.each([
  ['typed', {}, 'terminal'],
  ['by channel', { channels: development }, 'channel'],
] as const)('a message %s', (_title, options, delivery) => {
  test('starts Claude Code, is taken, and its answer is told in order up to its end', async () => {
    await open(options);
    expect(await world.ask('good morning')).toMatch(/^You said: (?:\[alice\] )?good morning/);
    expect(world.of('agent.ready')).toMatchObject([{ delivery }]);
    const beside = ['agent.status', 'tasks.listed', 'turn.rest'];
    const order = world.reports.map(({ type }) => type).filter((type) => !beside.includes(type));
    expect([...new Set(order)]).toEqual([
      'agent.starting',
      'agent.ready',
      'prompt.handing',
      'prompt.taken',
      'message.delta',
      'turn.stopped',
    ]);
    const deltas = world.of('message.delta');
    expect(deltas.map(({ index }) => index)).toEqual(deltas.map((_delta, index) => index));
    expect(deltas.map(({ text }) => text).join('')).toBe(world.of('turn.stopped')[0]?.text);
  });

  test('after an orderly stop resumes the conversation', async () => {
    await open(options);
    await world.ask('remember the zebra');
    world.agent.stop('k', 'rest');
    expect(await world.next('agent.exited')).toEqual({ key: 'k', type: 'agent.exited', detail: 'rest' });
    expect(await world.ask('[[recall]]')).toContain('remember the zebra');
  });

  test('interrupted while it runs ends the turn, and the next one works', async () => {
    await open(options);
    world.say('[[say:one|two]][[hang]]');
    await world.next('message.delta');
    world.agent.interrupt('k');
    expect(await world.next('turn.idle')).toMatchObject({ interrupted: true });
    expect(await world.ask('go on')).toContain('go on');
    // What the interrupt tidies up is not the next message.
    expect(world.of('prompt.handing').length).toBeLessThanOrEqual(2);
  });
});

test('a message that waits while the process is stopped gets a new one, which goes on', async () => {
  await open();
  world.say('[[say:one|two]][[hang]]');
  await world.next('message.delta');
  world.say('the second message');
  world.agent.stop('k', 'rest');
  expect(await world.next('agent.exited')).toMatchObject({ detail: 'rest' });
  expect((await world.next('turn.stopped')).text).toContain('the second message');
  expect(await world.ask('and a third')).toContain('and a third');
  expect(world.of('agent.exited')).toHaveLength(1);
});

test('what would be a command, a shell line or a quit word arrives as text', async () => {
  await open();
  for (const text of ['/exit', '!touch x', 'exit', ':q', '@file']) {
    expect(await world.ask(text)).toContain(`You said: [alice] ${text.replace('@', '\\@')}`);
  }
  expect(world.of('agent.starting')).toHaveLength(1);
});

test('a long message with many lines arrives whole and is not marked as pasted', async () => {
  await open();
  const text = Array.from({ length: 60 }, (_, at) => `row ${at} of a long table`).join('\n');
  await world.ask(text);
  expect(await world.ask('[[recall]]')).toContain(`1. [alice] ${text}`);
});

test('a message that is called off before Enter is never seen', async () => {
  await open();
  const turn = world.say('never mind');
  world.agent.interrupt('k');
  expect(await world.next('prompt.failed')).toMatchObject({ turn, code: 'interrupted', retry: false });
  expect(await world.ask('[[recall]]')).not.toContain('never mind');
});

test('a turn that ends without a word from Claude is told as idle', async () => {
  await open();
  world.say('[[silent]]');
  expect(await world.next('turn.idle')).toMatchObject({ interrupted: false });
});

test('Esc in the terminal ends the turn as interrupted', async () => {
  await open();
  world.say('[[say:one|two]][[hang]]');
  await world.next('message.delta');
  world.type('\x1b');
  expect(await world.next('turn.idle')).toMatchObject({ interrupted: true });
});

test('a failure of the model is a named failure of the turn', async () => {
  await open();
  world.say('[[fail:rate_limit]]');
  expect(await world.next('turn.failed')).toMatchObject({ code: 'rate_limited' });
  expect(await world.ask('again')).toContain('again');
});

test('what the operator types is a turn of nobody, and his draft survives ours', async () => {
  await open();
  await world.ask('hello');
  world.type('from the keyboard');
  await world.shows('from the keyboard');
  world.type('\r');
  expect(await world.next('prompt.foreign')).toMatchObject({ text: 'from the keyboard' });
  await world.next('turn.stopped', 2);
  world.type('half a thou');
  await world.shows('half a thou');
  expect(await world.ask('from the chat')).toContain('You said: [alice] from the chat');
  await until('the draft', () => /❯ half a thou/.test(world.screen));
});

test('a background task that ends later is a turn of nobody', async () => {
  await open();
  await world.ask('[[bg:the build is done]]');
  expect(await world.next('prompt.foreign')).toMatchObject({
    text: expect.stringContaining('the build is done'),
  });
});

test('tools are called over the channel and answered', async () => {
  await open();
  const tools = [{ name: 'weather', description: 'Weather', parameters: { type: 'object' } }];
  world.say('[[tool:weather {"city":"Ulm"}]]', { tools });
  const call = await world.next('tool.call');
  expect(call).toMatchObject({ tool: 'weather', args: { city: 'Ulm' } });
  world.agent.answerTool('k', call.call, true, 'sunny');
  expect((await world.next('turn.stopped')).text).toContain('sunny');
  expect(world.of('tool.activity').map(({ phase }) => phase)).toEqual(['started', 'succeeded']);
  expect(world.of('tool.activity')[0]?.tool_use).toBe(call.tool_use);
});

test('tools of the bridge are there from the start and whenever they change, and called as their provider’s', async () => {
  const weather = { name: 'weather_now', description: 'Weather', parameters: { type: 'object' } };
  const offered = [weather];
  let changed = () => {};
  const tools: LocalTools = {
    specs: () => offered,
    find: (tool) => (tool.startsWith('weather_') ? { provider: 'weather', permissions: ['net'] } : undefined),
  };
  const localTools: LocalToolShelf = {
    of: () => tools,
    subscribe: (listener) => {
      changed = listener;
      return () => {};
    },
  };
  await open({ localTools });
  world.say('[[tool:weather_now {}]]');
  const now = await world.next('tool.call');
  expect(now).toMatchObject({ tool: 'weather_now', provider: 'weather' });
  offered.push({ ...weather, name: 'weather_later' });
  changed();
  world.agent.answerTool('k', now.call, true, '{"data":"sunny"}', true);
  expect((await world.next('turn.stopped')).text).toContain('weather_now answered');
  world.say('[[tool:weather_later {}]]');
  const later = await world.next('tool.call', 2);
  expect(later).toMatchObject({ tool: 'weather_later', provider: 'weather' });
  world.agent.answerTool('k', later.call, true, '{"data":"rain"}', true);
  expect((await world.next('turn.stopped', 2)).text).toContain('weather_later answered');
});

test('an answer that is an envelope reaches the model as structure, as a failure its text', async () => {
  await open();
  const tools = [{ name: 'weather', description: 'Weather', parameters: { type: 'object' } }];
  world.say('[[tool:weather {}]]', { tools });
  world.agent.answerTool('k', (await world.next('tool.call')).call, true, '{ "data": "sunny" }', true);
  expect((await world.next('turn.stopped')).text).toContain('weather answered: {"data":"sunny"}');
  world.say('[[tool:weather {}]]', { tools });
  world.agent.answerTool('k', (await world.next('tool.call', 2)).call, false, '{ "data": null }', true);
  expect((await world.next('turn.stopped', 2)).text).toContain('weather failed: { "data": null }');
});
