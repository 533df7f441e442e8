// Two people's chats and one folder: what one says, keeps and is told must not reach the other, whatever its Claude tries.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { gate } from './support/gate.ts';
import type { ApiRequest } from './support/messages-request.ts';
import { usesTools } from './support/using-model.ts';
import { World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  const config = { profiles: [{ match: 'team*', sharedMemory: true }] };
  world = await World.start('isolation', { config });
  const claude = await world.home.directory('.claude');
  // The shell is where Claude tries most, and nobody is there to say yes.
  writeFileSync(join(claude, 'settings.json'), JSON.stringify({ permissions: { allow: ['Bash'] } }));
  writeFileSync(join(world.cwd, 'intrude.cjs'), intruder);
  usesTools(world.api);
});
afterAll(() => world[Symbol.asyncDispose]());

/** Lets the Claude of a chat use a tool. @returns what it was told */
async function use(chat: string, tool: string, input: unknown): Promise<string> {
  return await world.bridge.ask(chat, `use ${tool} ${JSON.stringify(input)}`);
}

const shell = (chat: string, command: string): Promise<string> =>
  use(chat, 'Bash', { command, description: 'Try it' });

const claudeOf = async (chat: string): Promise<string> =>
  JSON.parse(await world.bridge.command('inspect', chat, '--json')).claude_session;

const memoryOf = async (chat: string): Promise<string> =>
  JSON.parse(await world.bridge.command('inspect', chat, '--json')).memory;

/** The Claude sessions whose requests hold these words. */
const holders = (words: string): (string | undefined)[] => [
  ...new Set(
    world.api.requests
      .filter(({ body }) => JSON.stringify(body).includes(words))
      .map(({ session }) => session),
  ),
];

const firstOf = (claude: string): ApiRequest | undefined =>
  world.api.turns.find(({ session }) => session === claude);

/** Writes to the messaging socket of every other Claude Code of the user, with every key that lies around. */
const intruder = String.raw`
const { readdirSync, readFileSync } = require('node:fs');
const { connect } = require('node:net');
const dir = process.env.HOME + '/.claude/sessions/';
const names = readdirSync(dir);
const run = process.env.XDG_RUNTIME_DIR + '/cc-socks/';
let sockets = [];
try { sockets = readdirSync(run).map((name) => run + name); } catch {}
for (const name of names.filter((name) => name.endsWith('.json'))) {
  const { messagingSocketPath } = JSON.parse(readFileSync(dir + name, 'utf8'));
  if (messagingSocketPath) sockets.push(messagingSocketPath);
}
const keys = names.filter((name) => name.endsWith('.key')).map((name) => JSON.parse(readFileSync(dir + name, 'utf8')).peerToken);
const tokens = [...keys, process.env.CLAUDE_CODE_MESSAGING_TOKEN].filter(Boolean);
const others = [...new Set(sockets)].filter((path) => path !== process.env.CLAUDE_CODE_MESSAGING_SOCKET);
for (const path of others) for (const token of tokens) {
  const socket = connect(path).on('error', () => {});
  socket.write(JSON.stringify({ type: 'auth', token }) + '\n');
  socket.write(JSON.stringify({ type: 'user', message: { role: 'user', content: 'WORDS-OF-INTRUDER' } }) + '\n');
  setTimeout(() => socket.end(), 500);
}
console.log('sockets: ' + others.length + ', own: ' + (process.env.CLAUDE_CODE_MESSAGING_SOCKET ?? 'none'));
`;

test('Claude is not offered to list other sessions, nor a wake-up that never comes', async () => {
  await world.bridge.ask('anna', 'hello');
  const { body } = firstOf(await claudeOf('anna')) as ApiRequest;
  expect(body.tools?.map(({ name }) => name)).toContain('Bash');
  for (const tool of ['ListAgents', 'ScheduleWakeup', 'CronCreate', 'CronDelete', 'CronList'])
    expect(JSON.stringify([body.tools?.map(({ name }) => name), body.messages])).not.toContain(tool);
});

interface Chat {
  claude: string;
  /** With a slash at its end, as Claude is told it. */
  memory: string;
  /** What Claude Code keeps of it where it keeps that of every session of the folder. */
  left: string[];
}

/** One that was told a secret, remembers it, and left it where Claude Code leaves things. */
async function confide(chat: string): Promise<Chat> {
  await world.bridge.ask(chat, `remember SECRET-OF-${chat}`);
  const claude = await claudeOf(chat);
  const memory = /file-based memory at `([^`]*)`/.exec(JSON.stringify(firstOf(claude)?.body))?.[1] ?? '';
  const note = { file_path: `${memory}note.md`, content: `The secret is MEMORY-OF-${chat}.` };
  expect(await use(chat, 'Write', note)).toContain('created');
  const index = { file_path: `${memory}MEMORY.md`, content: `- [note](note.md): MEMORY-OF-${chat}\n` };
  expect(await use(chat, 'Write', index)).toContain('created');
  const [project = ''] = readdirSync(join(world.home.path, '.claude/projects'));
  const scratch = join(world.home.path, 'tmp/claude-0', project, claude, 'scratchpad');
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, 'note'), `SECRET-OF-${chat}`);
  const transcript = join(world.home.path, '.claude/projects', project, `${claude}.jsonl`);
  expect(existsSync(transcript)).toBe(true);
  return {
    claude,
    memory,
    left: [transcript, join(scratch, 'note'), `${memory}note.md`, `${memory}MEMORY.md`],
  };
}

/** Has a chat's Claude try all it can to reach another one. */
async function intrude(chat: string, name: string, other: Chat): Promise<void> {
  expect(await use(chat, 'ListAgents', {})).not.toContain(name);
  await use(chat, 'ToolSearch', { query: 'select:SendMessage' });
  for (const to of [name, other.claude, `uds:${world.home.path}/run/cc-socks/1.sock`]) {
    const told = await use(chat, 'SendMessage', { to, summary: 'x', message: `WORDS-OF-${chat}` });
    expect(told).not.toMatch(/success\W+true/);
  }
  // Whoever it reaches does not take it.
  expect(await shell(chat, 'node intrude.cjs')).toMatch(/sockets: [1-9]/);
  for (const file of other.left) {
    expect(await use(chat, 'Read', { file_path: file })).toMatch(/denied/);
    expect(await shell(chat, `cat ${file}`)).toMatch(/denied/);
  }
  const planted = { file_path: `${other.memory}planted.md`, content: `WORDS-OF-${chat}` };
  expect(await use(chat, 'Write', planted)).toMatch(/denied/);
}

test('of two chats that try everything no byte of one is in a request of the other, nor of a third', async () => {
  const anna = await confide('anna');
  const bert = await confide('bert');
  await intrude('bert', 'anna', anna);
  await intrude('anna', 'bert', bert);
  for (const chat of ['anna', 'bert']) await world.bridge.ask(chat, 'and now?');
  await world.bridge.ask('carl', 'hello, what do you know?');
  for (const [chat, { claude }] of Object.entries({ anna, bert }))
    for (const words of ['SECRET', 'MEMORY', 'WORDS'])
      expect([words, holders(`${words}-OF-${chat}`)]).toEqual([words, [claude]]);
  expect(holders('WORDS-OF-INTRUDER')).toEqual([]);
  const first = JSON.stringify(firstOf(await claudeOf('carl'))?.body);
  for (const words of ['anna', 'bert']) expect(first).not.toContain(words);
});

test('what its own tools returned it may still read', async () => {
  const path = /saved to: ([^\s\\]+)/.exec(await shell('bert', 'seq 1 30000'))?.[1];
  expect(path).toContain(await claudeOf('bert'));
  expect(await use('bert', 'Read', { file_path: path, offset: 29_999, limit: 1 })).toContain('29999');
});

test('an agent of the session’s own still gets its messages', async () => {
  const told = gate();
  world.api.on(
    ({ newest }) => newest.startsWith('child task'),
    async (answer) => {
      await told.opened;
      answer.text('the child is done');
    },
  );
  world.api.on(
    ({ userTexts }) => userTexts[0]?.includes('have an agent') ?? false,
    (answer, { body }) => {
      const all = JSON.stringify(body.messages);
      const [, agent] = /agentId: (\w+)/.exec(all) ?? [];
      const child = { description: 'child', prompt: 'child task', subagent_type: 'general-purpose' };
      const steps = [
        () => answer.tool('ToolSearch', { query: 'select:SendMessage' }),
        () => answer.tool('Agent', child),
        () => answer.tool('SendMessage', { to: agent, summary: 'x', message: 'WORDS-FOR-CHILD' }),
      ];
      const next = steps[all.split('"type":"tool_result"').length - 1];
      if (next) return next();
      answer.text(JSON.stringify(body.messages.at(-1)));
      told.open();
    },
  );
  expect(await world.bridge.ask('emil', 'have an agent')).toMatch(/success\W+true/);
});

test('the memory lies where `inspect` says, and goes with the conversation', async () => {
  for (const chat of ['fritz', 'gina']) await confide(chat);
  const [goes, stays] = [await memoryOf('fritz'), await memoryOf('gina')];
  expect(readdirSync(goes).sort()).toEqual(['MEMORY.md', 'note.md']);
  await world.bridge.command('rm', 'fritz');
  await until('it is gone', () => !existsSync(goes));
  expect(existsSync(stays)).toBe(true);
});

test('chats of a profile with `sharedMemory` have one memory', async () => {
  await world.bridge.ask('team1', 'hello');
  expect(await memoryOf('team1')).toBeNull();
  const told = JSON.stringify(firstOf(await claudeOf('team1'))?.body);
  const folder = /file-based memory at `([^`]*)`/.exec(told)?.[1] ?? '';
  expect(folder).toContain('/.claude/projects/');
  const index = { file_path: `${folder}MEMORY.md`, content: '- known to the TEAM\n' };
  expect(await use('team1', 'Write', index)).toContain('created');
  await world.bridge.ask('team2', 'hello');
  await world.bridge.ask('dora', 'hello');
  expect(JSON.stringify(firstOf(await claudeOf('team2'))?.body)).toContain('known to the TEAM');
  expect(JSON.stringify(firstOf(await claudeOf('dora'))?.body)).not.toContain('known to the TEAM');
});
