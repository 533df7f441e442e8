// Hooks and settings of the user's own, in the real Claude Code.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { AgentModel, endOf, heardOf } from './support/agent-model.ts';
import { gate } from './support/gate.ts';
import { WatchedWorld } from './support/watched-world.ts';

const settingsOf = async ({ home }: WatchedWorld): Promise<string> =>
  join(await home.directory('.claude'), 'settings.json');

test('a hook that refuses a message is told in its words, and nothing of it stays in the box', async () => {
  await using world = await WatchedWorld.start('refused');
  const command = "if grep -q ladder; then echo 'No ladders.' >&2; echo 'Nor hammers.' >&2; exit 2; fi";
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] };
  await writeFile(await settingsOf(world), JSON.stringify({ hooks }));

  for (const message of ['paint the ladder', 'and now\nthe ladder again']) {
    const answer = await world.ask('s', message);
    expect(answer).toContain("A hook on the bridge's machine refused this message.");
    expect(answer).toContain('`No ladders. Nor hammers.`');
  }
  expect(await world.ask('s', 'are you well?')).toContain('are you well?');
  expect(world.api.turns.map(({ newest }) => newest)).toEqual([expect.not.stringContaining('ladder')]);
  expect(world.events('s', 'turn.settled').map(({ code }) => code)).toEqual([
    'prompt_blocked',
    'prompt_blocked',
    undefined,
  ]);
});

test('hooks that are shut out while Claude Code runs are said at once, and a message waits until they are on again', async () => {
  await using world = await WatchedWorld.start('off');
  await world.ask('s', 'hello');
  const settings = join(await world.home.directory('work/project/.claude'), 'settings.local.json');
  const off = `\`allowedHttpHookUrls does not name http://127.0.0.1:*/* in ${settings}\``;
  let goOn = (): void => {};
  world.api.on('take your time', async (answer) => {
    answer.text('I begin.\n');
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    answer.text('I am done.');
  });

  const working = world.ask('s', 'take your time');
  await world.says('s', 'I begin.');
  await writeFile(settings, JSON.stringify({ allowedHttpHookUrls: [] }));
  const unheard = await working;
  expect(unheard).toContain("Claude Code's hooks do not reach the bridge");
  expect(unheard).toContain(off);
  expect(await world.health()).toEqual(['hooks_off']);
  goOn();

  const requests = world.api.turns.length;
  const told = await world.ask('s', 'are hooks on?');
  expect(told).toContain(off);
  expect(told).toContain('Your message "are hooks on?" waits, and goes to Claude by itself');
  expect(world.api.turns).toHaveLength(requests);

  await writeFile(settings, JSON.stringify({}));
  await world.says('s', 'echo: [user] are hooks on?');
  await until('good health', async () => (await world.health()).length === 0, 30_000);
  const next = await world.ask('s', 'and now?');
  expect(next).toContain('answer to your earlier message "are hooks on?"');
  expect(next).toContain('echo: [user] and now?');
  expect(world.events('s', 'turn.held')).toHaveLength(1);
});

test('a file of the folder cannot switch the hooks off, nor give them another token', async () => {
  await using world = await WatchedWorld.start('kept-on');
  await world.ask('s', 'hello');
  const settings = join(await world.home.directory('work/project/.claude'), 'settings.local.json');
  const env = { SYNTHESIS_BRIDGE_TOKEN: 'another', HTTP_PROXY: 'http://127.0.0.1:9' };
  await writeFile(settings, JSON.stringify({ disableAllHooks: true, env }));
  // By then a session that runs has read the file, and another one is started with it.
  expect(await world.ask('other', 'are you there?')).toContain('are you there?');
  expect(await world.ask('s', 'are you there?')).toContain('are you there?');
  expect(await world.health()).toEqual([]);
});

test('a user who has switched the hooks off has no session, is told which file says so, and is answered once it does not', async () => {
  await using world = await WatchedWorld.start('own-switch');
  await writeFile(await settingsOf(world), JSON.stringify({ disableAllHooks: true }));
  expect(await world.ask('s', 'hello')).toContain(`disableAllHooks in ${await settingsOf(world)}`);
  expect(world.api.turns).toEqual([]);
  await writeFile(await settingsOf(world), JSON.stringify({}));
  await world.says('s', 'echo: [user] hello');
});

/** Every hook but the one that asks. */
const told = ['tell/*', 'ask/*', 'hold/UserPromptSubmit'].map((each) => `http://127.0.0.1:*/hooks/${each}`);

test('a question that its hook does not tell is asked all the same, and its answer goes on with the turn', async () => {
  await using world = await WatchedWorld.start('untold');
  await writeFile(await settingsOf(world), JSON.stringify({ allowedHttpHookUrls: told }));
  world.api.on('write it', (answer, { body }) => {
    if (JSON.stringify(body.messages.at(-1)).includes('tool_result')) answer.text('It is written.');
    else answer.tool('Write', { file_path: `${world.cwd}/x.txt`, content: 'x' });
  });

  const question = await world.ask('s', 'write it');
  expect(question).toContain('Do you want to create x.txt?');
  expect(question).toMatch(/1\. Yes \(preselected\)/);
  expect(await world.health()).toEqual(['untold_question']);

  const [, code] = /`yes ([a-km-z]{5})/.exec(question) ?? [];
  expect(await world.ask('s', `yes ${code} 1`)).toContain('It is written.');
  await until('good health', async () => (await world.health()).length === 0);
  expect(await world.ask('s', 'and now?')).toContain('and now?');
});

const allButStop = [
  'hold/*',
  'ask/*',
  ...['MessageDisplay', 'PreToolUse', 'PostToolBatch', 'SubagentStart', 'SubagentStop', 'StopFailure'].map(
    (event) => `tell/${event}`,
  ),
];

test('an answer whose Stop is lost while an agent works reaches the chat all the same', async () => {
  await using world = await WatchedWorld.start('nostop');
  const allowedHttpHookUrls = allButStop.map((event) => `http://127.0.0.1:*/hooks/${event}`);
  await writeFile(await settingsOf(world), JSON.stringify({ allowedHttpHookUrls, showTurnDuration: false }));
  const model = new AgentModel(world.api);
  const work = gate();
  model.hold('red', () => work.opened);

  expect(await world.ask('s', 'start red, write plan')).toContain(endOf('plan'));
  expect(await world.ask('s', 'what is 2+2?')).toContain('You said: [user] what is 2+2?');
  expect(model.ended).not.toContain('red');
  work.open();
  await world.says('s', heardOf('red'));
  await world.rests('s');
  expect(world.events('s', 'turn.settled').map(({ outcome }) => outcome)).toEqual([
    'completed',
    'completed',
    'completed',
  ]);
});
