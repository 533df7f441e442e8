// Agents and commands in the background of the simulated Claude: they outlive the turn that began them, and so do their
// questions and calls.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openAsks, runningTurn } from '../../../src/domain/state/session.ts';
import { until } from '../../support/until.ts';
import { AgentWorld, type WorldOptions } from '../support/agent-world.ts';
import { simulatedClaude } from '../support/program.ts';

let world: AgentWorld;
afterEach(() => world[Symbol.asyncDispose]());
const open = async (options?: WorldOptions) => {
  world = await AgentWorld.open(options);
};

/** Of the user himself, beside those of the bridge. */
function writeSettings(settings: object): void {
  const folder = join(world.root, 'home/.claude');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
}

/** Shell commands are not asked about. */
const allowShell = () => writeSettings({ permissions: { allow: ['Bash'] } });
const made = (name: string) => existsSync(join(world.cwd, name));
const make = (name: string) => writeFileSync(join(world.cwd, name), '');
/** A command that takes until the file is there. */
const awaits = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`;
/** An agent that works until the file is there. */
const agent = (name: string, file: string) =>
  `[[agent:${name}|[[bash:${awaits(file)}]][[say:${name} is done]]]]`;
const isDelta = ({ type }: { type: string }) => type === 'message.delta';
/** Another session. */
const other = () => ({ key: 'other', claude: randomUUID(), resume: false });
const answer = (code: string, verdict: 'allow' | 'deny') =>
  world.agent.answerPermission('k', { code, verdict, scope: 'once', by: 'cli' });
const tasks = () => world.core.session().tasks.map(({ title, state }) => `${title}: ${state}`);
/** Nothing is left over, and the next message is answered as ever. */
async function expectRest(): Promise<void> {
  expect(runningTurn(world.core.session())).toBeUndefined();
  expect(tasks()).toEqual([]);
  expect(openAsks(world.core.session())).toEqual([]);
  expect(await world.ask('are you well?')).toContain('You said: [alice] are you well?');
  expect(world.core.refused).toEqual([]);
}

describe('a question of an agent', () => {
  const asking = '[[agent:tests|[[bash:touch made]][[say:all green]]]][[say:started]]';

  test.each([
    ['yes', 'allow', true],
    ['no', 'deny', false],
  ] as const)('is open behind its turn and the next one, and %s decides it', async (_, verdict, runs) => {
    await open();
    expect(await world.ask(asking)).toBe('started');
    const { code } = await world.next('permission.ask');
    expect(await world.ask('and now?')).toContain('and now?');
    expect(openAsks(world.core.session())).toMatchObject([{ code, agent: { title: 'tests' }, turn: 't1' }]);
    expect([made('made'), world.of('permission.withdrawn')]).toEqual([false, []]);
    answer(code, verdict);
    expect((await world.next('turn.stopped', 3)).text).toContain('Agent "tests" finished all green');
    expect(made('made')).toBe(runs);
    expect(world.of('permission.sent')).toMatchObject([{ code }]);
    expect(world.of('permission.ask')).toHaveLength(1);
    expect(world.of('agent.starting')).toHaveLength(1);
  });

  test('is answered while Claude writes, and Claude writes on', async () => {
    await open();
    world.say('[[agent:tests|[[bash:touch made]][[say:all green]]]][[lines:30]]');
    await world.next('message.delta');
    answer((await world.next('permission.ask')).code, 'allow');
    expect((await world.next('turn.stopped')).text).toMatch(/^Line 1\n[\s\S]*\nLine 30$/);
    expect((await world.next('turn.stopped', 2)).text).toContain('all green');
    expect(made('made')).toBe(true);
  });

  test('stands beside that of another agent, and each has its own answer', async () => {
    await open();
    await world.ask('[[agent:one|[[bash:touch one]]]][[agent:two|[[bash:touch two]]]][[say:started]]');
    await world.next('permission.ask', 2);
    const codeOf = (title: string) =>
      openAsks(world.core.session()).find((ask) => ask.agent?.title === title)?.code ?? '';
    const [one, two] = [codeOf('one'), codeOf('two')];
    answer(two, 'deny');
    await world.next('turn.stopped', 2);
    expect(openAsks(world.core.session()).map(({ code }) => code)).toContain(one);
    answer(one, 'allow');
    await world.next('turn.stopped', 3);
    expect([made('one'), made('two')]).toEqual([true, false]);
  });

  test('is over when a person stops the agents in the terminal, and Claude is told', async () => {
    await open();
    await world.ask(asking);
    const { code } = await world.next('permission.ask');
    world.type('\x18\x0b\x18\x0b');
    expect(await world.next('permission.withdrawn')).toMatchObject({ code, detail: 'its agent was stopped' });
    expect((await world.next('turn.stopped', 2)).text).toContain('"tests" was stopped by the user');
    answer(code, 'allow');
    await expectRest();
    expect(made('made')).toBe(false);
  });

  test('is over with its agent at a Ctrl+C in the terminal, and nothing is at work any more', async () => {
    await open({ limits: { idleMs: 300 } });
    await world.ask(asking);
    const { code } = await world.next('permission.ask');
    await world.shows('Waiting for 1 background agent');
    world.type('\x03');
    expect(await world.next('permission.withdrawn')).toMatchObject({ code });
    await world.ask('what is next?');
    expect(tasks().filter((task) => task.endsWith('running'))).toEqual([]);
    expect(await world.next('agent.exited')).toMatchObject({ detail: 'idle' });
  });

  test('is over when Claude stops the agent', async () => {
    await open();
    await world.ask(asking);
    const { code } = await world.next('permission.ask');
    world.say('[[tool:TaskStop {"task_id":"tests"}]]');
    expect(await world.next('permission.withdrawn')).toMatchObject({ code });
    await until('Claude to know', () =>
      world.of('turn.stopped').some(({ text = '' }) => text.includes('"tests" was stopped by Claude')),
    );
    await expectRest();
    expect(made('made')).toBe(false);
  });
});

describe('agents that end', () => {
  test('while Claude writes are told in one turn behind it, two and three of them', async () => {
    await open({ env: { SIM_LINE_MS: '60' } });
    allowShell();
    for (const [round, names] of [
      ['one', ['red', 'green']],
      ['two', ['red', 'green', 'blue']],
    ] as const) {
      const before = world.reports.length;
      const [stopped, foreign] = [world.of('turn.stopped').length, world.of('prompt.foreign').length];
      world.say(`${names.map((name) => agent(name, round)).join('')}[[lines:25]]`);
      await until('Claude to write', () => world.reports.slice(before).some(isDelta));
      make(round);
      expect((await world.next('turn.stopped', stopped + 1)).text).toMatch(/^Line 1\n[\s\S]*\nLine 25$/);
      const { text = '' } = await world.next('turn.stopped', stopped + 2);
      for (const name of names) expect(text.split(`${name} is done`)).toHaveLength(2);
      // It was what this is about: all of them ended before the turn did, and each was told by itself.
      const order = world.reports.slice(before).map(({ type }) => type);
      expect(order.lastIndexOf('task.end')).toBeLessThan(order.indexOf('turn.rest'));
      expect(world.of('prompt.foreign').length - foreign).toBe(names.length);
    }
    const outcomes = world.core.events.flatMap((event) =>
      event.type === 'turn.settled' ? [event.outcome] : [],
    );
    expect(outcomes).toEqual(Array(4).fill('completed'));
    await expectRest();
  });

  test('one after the other are a turn each, and messages are answered meanwhile', async () => {
    await open();
    allowShell();
    expect(await world.ask(`${agent('red', 'one')}${agent('green', 'two')}[[say:started]]`)).toBe('started');
    expect(await world.ask('what is 2+2?')).toContain('what is 2+2?');
    expect(tasks()).toEqual(['red: running', 'green: running']);
    make('one');
    expect((await world.next('turn.stopped', 3)).text).toContain('red is done');
    expect(await world.ask('and 3+3?')).toContain('and 3+3?');
    expect(tasks()).toEqual(['green: running']);
    make('two');
    expect((await world.next('turn.stopped', 5)).text).toContain('green is done');
    await expectRest();
  });

  test('by a failure are told as failed', async () => {
    await open();
    allowShell();
    await world.ask(`[[agent:red|[[bash:${awaits('go')}]][[fail:overloaded]]]][[say:started]]`);
    make('go');
    expect((await world.next('turn.stopped', 2)).text).toContain('Agent "red" failed');
    expect(world.of('turn.failed')).toEqual([]);
    await expectRest();
  });
});

test('what Claude says when another Stop hook sent it on is told, and of the next turn in one answer', async () => {
  await open();
  const block = JSON.stringify({ decision: 'block', reason: '[[say:the tests pass]]' });
  const command = `grep -q '"stop_hook_active":true' || echo '${block}'`;
  writeSettings({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
  const heard = () =>
    world
      .of('message.delta')
      .map(({ text }) => text)
      .join('|');
  await world.ask('[[say:lions are done]]');
  await until('the rest', () => heard().includes('the tests pass'));
  await until('its end', () => !runningTurn(world.core.session()));
  const said = () => world.core.session().turns.map(({ answer: { text } }) => String(text));
  expect(said().join('|')).toMatch(/^lions are done\s*\|?\s*the tests pass\s*$/);
  const before = said().length;
  await world.ask('[[say:bears are done]]');
  await until('its end', () => !runningTurn(world.core.session()));
  expect(said().slice(before).join('|')).toMatch(/^bears are done\s+the tests pass\s*$/);
  expect(world.core.refused).toEqual([]);
});

test('an empty answer is not the answer before it', async () => {
  await open();
  await world.ask('[[say:yes, you may]]');
  const turn = world.say('[[empty]]');
  const settled = await until('the end', () =>
    world.core.events.find((event) => event.type === 'turn.settled' && event.turn === turn),
  );
  expect(JSON.stringify(settled)).not.toContain('yes, you may');
  expect(String(world.core.session().turns.at(-1)?.answer.text)).toBe('');
});

test.each([
  ['an agent', agent('red', 'go'), /red is done/],
  [
    'a command in the background',
    `[[tool:Bash ${JSON.stringify({ command: awaits('go'), description: 'red', run_in_background: true })}]]`,
    /red/,
  ],
])(
  'a session with %s at work is neither idle nor gives its place away, but afterwards',
  async (_, begins, told) => {
    await open({ limits: { maxLive: 1, slotMs: 500, idleMs: 200 } });
    allowShell();
    await world.ask(`${begins}[[say:started]]`);
    // As long as it would have taken to be idle.
    world.say('no place', other());
    expect(await world.next('prompt.failed')).toMatchObject({ key: 'other', code: 'overflow' });
    expect(world.of('agent.exited').filter(({ key }) => key === 'k')).toEqual([]);
    make('go');
    expect((await world.next('turn.stopped', 2)).text).toMatch(told);
    await until('its end', () =>
      world.of('agent.exited').some(({ key, detail }) => key === 'k' && detail === 'idle'),
    );
    expect(await world.ask('a place', other())).toContain('a place');
  },
);

describe('a call of a lent tool', () => {
  const tools = [{ name: 'weather', description: 'Weather', parameters: { type: 'object' } }];
  const calls = () => world.core.session().calls.map(({ tool }) => tool);

  test('by an agent outlives the turn, and its result reaches the agent', async () => {
    await open();
    await world.ask('[[agent:red|[[tool:weather {"city":"Ulm"}]]]][[say:started]]', { tools });
    const { call } = await world.next('tool.call');
    expect(await world.ask('and now?', { tools })).toContain('and now?');
    expect(calls()).toEqual(['weather']);
    world.agent.answerTool('k', call, true, 'sunny');
    expect((await world.next('turn.stopped', 3)).text).toContain('sunny');
  });

  test('that takes longer than Claude Code would wait is waited for', async () => {
    await open({ env: { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '1' } });
    world.say('[[tool:weather {"city":"Ulm"}]]', { tools });
    const { call } = await world.next('tool.call');
    // Takes longer than that.
    world.say('hello', other());
    await until('the other', () => world.of('turn.stopped').some(({ key }) => key === 'other'));
    expect(world.of('turn.stopped')).toHaveLength(1);
    world.agent.answerTool('k', call, true, 'sunny');
    expect((await world.next('turn.stopped', 2)).text).toContain('sunny');
    expect(tasks()).toEqual([]);
  });

  test('that Claude Code moved to the background outlives its turn, and its result begins another', async () => {
    const slow = ['env', 'CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS=50', process.execPath, simulatedClaude];
    await open({ claudeCommand: slow });
    const first = await world.ask('[[tool:weather {"city":"Ulm"}]][[say:I wait]]', { tools });
    expect(first).toContain('I wait');
    expect(calls()).toEqual(['weather']);
    const { call } = await world.next('tool.call');
    world.agent.answerTool('k', call, true, 'sunny');
    expect((await world.next('turn.stopped', 2)).text).toContain('sunny');
    await until('the end of the task', () => tasks().length === 0);
  });
});
