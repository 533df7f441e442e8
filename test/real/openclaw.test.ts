// The product's main road: a message in OpenClaw, answered by the real Claude Code. One gateway and one bridge for all of
// it, since a gateway takes longer to start than a conversation: each has a session key of its own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperatorSocket } from '../support/operator-socket.ts';
import { AskingModel } from './support/asking-model.ts';
import { type IsolatedHome, isolatedHome } from './support/isolated-home.ts';
import { claudePids } from './support/processes.ts';
import { RealOpenClaw } from './support/real-openclaw.ts';
import { usesTools } from './support/using-model.ts';
import { World } from './support/world.ts';

const policy = [
  { command: 'truncate', decision: 'deny', reason: 'nothing is cut here' },
  { tool: 'exec', command: 'uname', decision: 'operator' },
  { tool: 'Bash', command: 'touch allowed.txt', decision: 'allow' },
];

let world: World;
let home: IsolatedHome;
let openclaw: RealOpenClaw;
let operator: OperatorSocket;
beforeAll(async () => {
  world = await World.start('openclaw-bridge', { config: { policy } });
  home = await isolatedHome('openclaw-user');
  openclaw = await RealOpenClaw.start(home.path, world.bridge.provider);
  operator = await OperatorSocket.open(world.stateDir);
});
afterAll(async () => {
  await operator?.[Symbol.asyncDispose]();
  await openclaw?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

/** Events of one conversation and type, oldest first. */
const events = (key: string, type: string) =>
  operator.rows
    .filter(({ session, event }) => session === key && event.type === type)
    .map(({ event }) => event);

test('each OpenClaw session key has a Claude of its own that remembers what was said', async () => {
  const { api } = world;
  api.on('my colour is', (answer) => answer.text('Noted, your colour.'));
  api.on('what is my colour', (answer, request) => {
    const colour = request.userTexts.join('\n').match(/my colour is (\w+)/)?.[1];
    answer.text(colour ? `Your colour is ${colour}.` : 'You have not told me.');
  });

  expect(await openclaw.agent('agent:main:first', 'my colour is teal')).toBe('Noted, your colour.');
  expect(await openclaw.say('agent:main:first', 'what is my colour?')).toBe('Your colour is teal.');
  expect(await openclaw.say('agent:main:second', 'what is my colour?')).toBe('You have not told me.');

  const [told, asked, other] = api.turns.map((turn) => turn.session ?? '');
  expect(api.turns.length).toBe(3);
  expect(asked).toBe(told);
  expect(other).not.toBe(told);
  const pids = [...(await claudePids(told ?? '-')), ...(await claudePids(other ?? '-'))];
  expect(new Set(pids).size).toBe(2);
  // OpenClaw's own prompt and its notes about the channel stay outside.
  expect(JSON.stringify(api.turns.map((turn) => turn.body))).not.toMatch(
    /running inside OpenClaw|OPENCLAW_INTERNAL_CONTEXT|Runtime: agent=/,
  );
});

test('a question is OpenClaw’s answer, a yes or no is its next message, and the rest follows', async () => {
  await using _model = await AskingModel.start(world.api, world.cwd);
  const key = 'agent:main:asks';
  const say = (text: string) => openclaw.say(key, text);
  const codeIn = (text: string) => /`yes ([a-km-z]{5})/.exec(text)?.[1] ?? '';
  const made = (name: string) => existsSync(join(world.cwd, `${name}.txt`));

  const question = await say('go Bash first');
  expect(question).toContain('touch first.txt');
  expect(made('first')).toBe(false);
  const code = codeIn(question);
  expect(await say(`yes ${code}`)).toContain('result of first');
  expect(made('first')).toBe(true);

  const second = await say('go Bash second');
  expect(codeIn(second)).not.toBe(code);
  // An old verdict is an old verdict, and an ordinary message does not answer anything.
  expect(await say(`yes ${code}`)).toMatch(/Already answered: `\w+` \(Bash\) was allowed in the chat/);
  expect(await say('is it done already?')).toContain(`show ${codeIn(second)}`);
  expect(made('second')).toBe(false);
  const denied = await say(`no ${codeIn(second)} use another folder`);
  expect(denied).toContain('use another folder');
  expect(denied).toContain('result of second');
  expect(made('second')).toBe(false);

  expect(events(key, 'permission.decided')).toMatchObject([
    { code, verdict: 'allow', by: 'chat' },
    { code: codeIn(second), verdict: 'deny', by: 'chat' },
  ]);
});

test('a lent exec asks, a rule denies in words, and what is for the operator cannot be answered in the chat', async () => {
  usesTools(world.api);
  const key = 'agent:main:policy';
  const say = (text: string) => openclaw.say(key, text);
  const exec = (command: string) => say(`use mcp__synthesis__exec ${JSON.stringify({ command })}`);
  const bash = (command: string) => say(`use Bash ${JSON.stringify({ command, description: 'd' })}`);
  const made = (name: string) => existsSync(join(home.path, name));

  const question = await exec(`touch ${home.path}/asked`);
  const [, code = ''] = /`yes ([a-km-z]{5})/.exec(question) ?? [];
  expect(question).toContain(`touch ${home.path}/asked`);
  expect(made('asked')).toBe(false);
  expect(await say(`yes ${code}`)).toContain('it said:');
  expect(made('asked')).toBe(true);
  // One question for one call: OpenClaw does not ask again.
  expect(events(key, 'permission.asked')).toHaveLength(1);

  expect(await exec(`truncate -s 0 ${home.path}/asked`)).toContain('nothing is cut here');
  expect(await bash(`'trunc'ate -s 0 ${home.path}/asked`)).toContain('nothing is cut here');
  expect(await bash('touch allowed.txt')).toContain('it said:');
  expect(existsSync(join(world.cwd, 'allowed.txt'))).toBe(true);
  expect(events(key, 'policy.ruled').map(({ verdict }) => verdict)).toEqual(['deny', 'deny', 'allow']);

  const forOperator = await exec(`uname > ${home.path}/uname`);
  expect(forOperator).toMatch(/waits for the operator/);
  const [, theirs = ''] = /approve ([a-km-z]{5})/.exec(forOperator) ?? [];
  expect(await say(`yes ${theirs}`)).toMatch(/Only the operator may answer this/);
  expect(made('uname')).toBe(false);
  await world.bridge.command('approve', theirs);
  expect(await say('go on')).toContain('it said:');
  expect(made('uname')).toBe(true);
  expect(events(key, 'permission.decided')).toMatchObject([
    { code, verdict: 'allow', by: 'chat' },
    { code: theirs, verdict: 'allow', by: 'cli' },
  ]);
});
