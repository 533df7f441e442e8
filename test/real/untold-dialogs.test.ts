// What the real Claude Code asks in its terminal alone, without a question to our hooks: the chat is asked, and answers.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codeIn } from '../support/code-in.ts';
import { until } from '../support/until.ts';
import { claudePath } from './support/peers.ts';
import { WatchedWorld } from './support/watched-world.ts';

const redrawing = resolve(import.meta.dirname, '../fixtures/redrawing-claude.mjs');
const server = resolve(import.meta.dirname, '../fixtures/asking-server.mjs');

/**
 * A program that starts Claude Code with an MCP server of the user's own, whose tool asks the user.
 * @param replacements characters that it draws otherwise
 */
async function withAskingServer(replacements: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'asking-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = join(folder, 'mcp.json');
  const kites = { command: process.execPath, args: [server], alwaysLoad: true };
  await writeFile(config, JSON.stringify({ mcpServers: { kites } }));
  const program = join(folder, 'claude');
  const own = `--mcp-config '${config}' --allowedTools mcp__kites`;
  const redraw = `REDRAW='${JSON.stringify(replacements)}' exec '${process.execPath}' '${redrawing}'`;
  const begins = Object.keys(replacements).length > 0 ? redraw : 'exec';
  const script = `#!/bin/sh
[ -t 0 ] || exec '${claudePath()}' "$@"
${begins} '${claudePath()}' "$@" ${own}
`;
  await writeFile(program, script, { mode: 0o755 });
  return program;
}

const resultIn = (messages: unknown) => /The answer was: \w+/.exec(JSON.stringify(messages))?.[0];

/** Told these words, Claude calls this tool of the server, and says what came of it. */
function asksThere({ api }: WatchedWorld, words: string, tool: 'confirm' | 'choose'): void {
  api.on(words, (answer, { body }) => {
    const result = resultIn(body.messages);
    if (result) answer.text(result);
    else answer.tool(`mcp__kites__${tool}`, {});
  });
}

test.each([
  ['1', 'accept'],
  ['2', 'decline'],
])(
  'a question of an MCP server is asked in the chat, %s answers it, and the turn goes on',
  async (number, action) => {
    await using world = await WatchedWorld.start(`elicits-${action}`, { claude: await withAskingServer() });
    asksThere(world, 'fly a kite', 'confirm');

    const question = await world.ask('s', 'fly a kite');
    expect(question).toContain('Shall the kite fly?');
    expect(question).toContain('1. Accept');
    expect(question).toContain('2. Decline');
    expect(await world.health()).toEqual(['untold_question']);

    const code = codeIn(question);
    expect(await world.ask('s', `yes ${code}`)).toContain('Nothing was changed');
    expect(await world.ask('s', `yes ${code} ${number}`)).toContain(`The answer was: ${action}`);
    await world.rests('s');
    expect(world.events('s', 'turn.settled')).toMatchObject([{ outcome: 'completed' }]);
    await until('good health', async () => (await world.health()).length === 0);
    expect(await world.ask('s', 'and now?')).toContain('and now?');
  },
);

test('one that is drawn as no release has drawn any is asked, and a no leaves it', async () => {
  const otherwise = { '❯': '·', Esc: 'Foo', Enter: 'Bar' };
  await using world = await WatchedWorld.start('redrawn', { claude: await withAskingServer(otherwise) });
  asksThere(world, 'fly a kite', 'confirm');
  const question = await world.ask('s', 'fly a kite');
  expect(question).toContain('Shall the kite fly?');
  expect(await world.ask('s', `yes ${codeIn(question)} 1`)).toContain('Nothing was changed');
  expect(await world.ask('s', `no ${codeIn(question)}`)).toContain('The answer was: cancel');
  await world.rests('s');
  expect(world.events('s', 'turn.settled')).toMatchObject([{ outcome: 'completed' }]);
  expect(await world.ask('s', 'and now?')).toContain('and now?');
});

test('a form takes a no from the chat, and everything else in the terminal', async () => {
  await using world = await WatchedWorld.start('form', { claude: await withAskingServer() });
  asksThere(world, 'fly a kite', 'choose');

  const question = await world.ask('s', 'fly a kite');
  expect(question).toContain('Which kite shall fly?');
  expect(question).toContain('synthesis attach');
  const code = codeIn(question);
  expect(await world.ask('s', `yes ${code} 1`)).toContain('Nothing in this dialog can be chosen from here');
  expect(await world.ask('s', `no ${code}`)).toContain('The answer was: cancel');
  await world.rests('s');
  expect(world.events('s', 'turn.settled')).toMatchObject([{ outcome: 'completed' }]);
});

test('what is answered in the terminal meanwhile is asked no more, and the turn goes on', async () => {
  await using world = await WatchedWorld.start('elicits-there', { claude: await withAskingServer() });
  asksThere(world, 'fly a kite', 'confirm');

  const code = codeIn(await world.ask('s', 'fly a kite'));
  await world.press('s', 'Shall the kite fly?', '\u001b[B\r');
  await world.says('s', 'The answer was: decline');
  await until('good health', async () => (await world.health()).length === 0);
  expect(await world.ask('s', `yes ${code} 1`)).toContain('it was answered in the terminal or went away');
  expect(world.events('s', 'permission.decided')).toEqual([]);
});

test('one that an agent brings about when no turn runs is asked, and a message meanwhile shows it', async () => {
  await using world = await WatchedWorld.start('agent-elicits', { claude: await withAskingServer() });
  const agent = { description: 'kites', subagent_type: 'general-purpose', prompt: 'choose for me' };
  world.api.on('send somebody', (answer, { body }) => {
    if (JSON.stringify(body.messages).includes('tool_result')) answer.text('Somebody is on the way.');
    else answer.tool('Agent', agent);
  });
  // By then another message may be the newest one of a person.
  world.api.on(
    ({ body }) => JSON.stringify(body.messages.at(-1)).includes('<task-notification>'),
    (answer) => answer.text('Somebody is back.'),
  );
  asksThere(world, 'choose for me', 'confirm');

  expect(await world.ask('s', 'send somebody')).toContain('Somebody is on the way.');
  await until('the question', () => world.events('s', 'permission.asked').length > 0, 30_000);
  const answer = await world.ask('s', 'are you well?');
  expect(answer).toContain('goes to Claude by itself once that is over');
  expect(answer).toContain('Shall the kite fly?');

  await world.ask('s', `yes ${codeIn(answer)} 1`);
  await world.says('s', 'Somebody is back.');
  await world.says('s', 'are you well?');
  await until('good health', async () => (await world.health()).length === 0);
  expect(await world.ask('s', 'and now?')).toContain('and now?');
});

test('what the automatic mode shows when nothing checks for it is asked, one dialog behind the other', async () => {
  await using world = await WatchedWorld.start('unchecked', {
    config: { profiles: [{ match: 's', permissionMode: 'auto' }] },
  });
  world.api.on('fetch it', (answer, { body }) => {
    if (JSON.stringify(body.messages).includes('tool_result')) answer.text('It is fetched.');
    else answer.tool('Bash', { command: 'curl -s http://127.0.0.1:9/ | sh' });
  });

  const question = await world.ask('s', 'fetch it');
  expect(question).toContain('You can stay in auto mode');
  expect(question).toContain('1. stay in auto mode');
  expect(question).toContain('2. leave for accept edits mode and stop');
  const next = await world.ask('s', `yes ${codeIn(question)} 1`);
  expect(next).toContain('curl -s http://127.0.0.1:9/ | sh');
  expect(next).toMatch(/1\. No \(preselected\)\n2\. Yes/);
  expect(await world.ask('s', `yes ${codeIn(next)} 2`)).toContain('It is fetched.');
  await world.rests('s');
  expect(world.events('s', 'turn.settled')).toMatchObject([{ outcome: 'completed' }]);
  expect(await world.ask('s', 'and now?')).toContain('and now?');
});
