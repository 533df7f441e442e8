// The program in a real terminal: one session does what the bridge relies on. The slower rules are in test/e2e.
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Lab } from '../../demo/pty-claude.ts';
import { until } from '../../support/until.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab.close());

const synthesis = () => ['--mcp-config', lab.mcpConfig(), '--allowedTools', 'mcp__synthesis'];
const toolsListed = () => until('tools/list', () => mcpLog().includes('listed 8 tools'));
const mcpLog = () => (existsSync(lab.file('mcp.log')) ? readFileSync(lab.file('mcp.log'), 'utf8') : '');

test('a message is announced, streamed in whole lines and stopped, all under one prompt_id', async () => {
  const run = await lab.ready();
  expect(run.title).toBe('✳ Claude Code');
  run.say('hello one\nhello two');
  const stop = await lab.hooks.next('Stop');
  const submit = lab.hooks.of('UserPromptSubmit')[0];
  expect(submit?.body).toMatchObject({
    prompt: 'hello one\nhello two',
    permission_mode: 'default',
    cwd: lab.cwd,
  });
  const displays = () => lab.hooks.of('MessageDisplay').map(({ body }) => body);
  await until('the last of the text', () => displays().at(-1)?.final === true);
  const shown = displays();
  expect(shown.map(({ delta }) => delta).join('')).toBe(
    'You said: hello one hello two\nI remember 0 earlier messages.',
  );
  expect(shown.at(-1)).toMatchObject({ final: true });
  expect(stop.body).toMatchObject({
    last_assistant_message: 'You said: hello one hello two\nI remember 0 earlier messages.',
    stop_hook_active: false,
  });
  const ids = [...lab.hooks.posts].map(({ body }) => body.prompt_id);
  expect(new Set(ids).size).toBe(1);
  expect(submit?.headers).toMatchObject({ authorization: 'Bearer lab-secret', 'x-other': 'a-b' });
  await until('the idle title', () => run.title.startsWith('✳'));
  await run.shows('● You said: hello one hello two');
});

test('a permission is asked on screen and over the hook; the hook may answer it with another input', async () => {
  lab.hooks.held.add('PermissionRequest');
  const run = await lab.ready();
  run.say('[[bash:echo wrong]]');
  const ask = await lab.hooks.next('PermissionRequest');
  expect(ask.body).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'echo wrong' } });
  expect(ask.body).not.toHaveProperty('tool_use_id');
  expect(lab.hooks.of('PreToolUse')[0]?.body.tool_use_id).toMatch(/^toolu_/);
  await run.shows('❯ 1. Yes');
  expect(run.title).toMatch(/^✳/);
  const decision = { behavior: 'allow', updatedInput: { command: 'echo right' } };
  ask.answer({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
  const done = await lab.hooks.next('PostToolUse');
  expect(done.body).toMatchObject({
    tool_input: { command: 'echo right' },
    tool_response: { stdout: 'right\n' },
  });
  expect((await lab.hooks.next('Stop')).body.last_assistant_message).toBe('Bash answered: right');
  await run.hides('Do you want');
});

test('Enter on the dialog runs the tool and leaves the held request open', async () => {
  lab.hooks.held.add('PermissionRequest');
  const run = await lab.ready();
  run.say('[[write:note.txt kept]]');
  await run.shows('❯ 1. Yes');
  run.type('\r');
  await lab.hooks.next('Stop');
  expect(readFileSync(`${lab.cwd}/note.txt`, 'utf8')).toBe('kept');
  expect((await lab.hooks.next('PermissionRequest')).aborted).toBe(false);
});

test('Esc on the dialog closes the held request and ends the turn without a Stop', async () => {
  lab.hooks.held.add('PermissionRequest');
  const run = await lab.ready();
  run.say('[[bash:touch never]]');
  const ask = await lab.hooks.next('PermissionRequest');
  await run.shows('❯ 1. Yes');
  run.type('\x1b');
  await run.shows('Interrupted · What should Claude do instead?');
  await until('the request to be closed', () => ask.aborted);
  run.say('next');
  await lab.hooks.next('Stop');
  expect(lab.hooks.of('Stop')).toHaveLength(1);
  expect(existsSync(`${lab.cwd}/never`)).toBe(false);
});

test('Esc while streaming fires no hook; before the first word it puts the prompt back', async () => {
  const run = await lab.ready([], { SIM_LINE_MS: '30' });
  run.say('[[lines:500]]');
  await run.shows('Line 3');
  run.type('\x1b');
  await run.shows('Interrupted · What should Claude do instead?');
  await until('the idle title', () => run.title.startsWith('✳'));
  run.say('[[wait:60000]]');
  await lab.hooks.next('UserPromptSubmit', 2);
  await until('the working title', () => run.title.startsWith('◐'));
  run.type('\x1b');
  await until('the prompt in the box', () => run.title.startsWith('✳') && run.box === '[[wait:60000]]');
  expect(lab.hooks.of('Stop')).toEqual([]);
  expect(lab.hooks.of('MessageDisplay').some(({ body }) => body.final)).toBe(false);
  run.type('\x1b\x1b');
  await until('an empty box', () => run.box === '');
  run.say('[[recall]]');
  expect((await lab.hooks.next('Stop')).body.last_assistant_message).toBe(
    'Earlier messages:\n1. [[lines:500]]',
  );
});

test('a tool of the MCP server is called with the id that the hooks carry', async () => {
  const run = await lab.ready(synthesis());
  await toolsListed();
  run.say('[[tools:echo {"text":"a"};echo {"text":"b"};broken;nothing]]');
  const stop = await lab.hooks.next('Stop');
  expect(String(stop.body.last_assistant_message).split('\n')).toEqual([
    'echo answered: echo a',
    'echo answered: echo b',
    'broken failed: tool says no',
    'nothing failed: No such tool available: mcp__synthesis__nothing',
  ]);
  const ids = lab.hooks.of('PreToolUse').map(({ body }) => body.tool_use_id);
  for (const id of ids) expect(mcpLog()).toContain(`"claudecode/toolUseId":"${String(id)}"`);
  expect(lab.hooks.of('PostToolUse')[0]?.body).toMatchObject({
    tool_name: 'mcp__synthesis__echo',
    mcp_server: { name: 'synthesis', source: 'dynamic' },
  });
  expect(lab.hooks.of('PostToolUseFailure')[0]?.body).toMatchObject({
    error: 'tool says no',
    is_interrupt: false,
  });
  expect(lab.hooks.of('PermissionRequest')).toEqual([]);
});

test('a channel event starts a turn, and a channel verdict answers a permission', async () => {
  const flags = ['--dangerously-load-development-channels', 'server:synthesis', '--mcp-config'];
  const args = [
    '--permission-mode',
    'manual',
    '--settings',
    lab.settings(),
    '--allowedTools',
    'mcp__synthesis',
  ];
  const run = lab.start([...args, ...flags, lab.mcpConfig({ MCP_VERDICT: 'allow' })]);
  await run.shows('WARNING: Loading development channels');
  await run.shows('❯ 1. I am using this for local development');
  expect(existsSync(lab.file('session-start'))).toBe(false);
  run.type('\r');
  await run.shows('messages from server:synthesis inject directly in this session');
  await toolsListed();
  run.say('[[tool:push {"content":"[[bash:echo from the channel]]","meta":{"user":"alice"}}]]');
  const submit = await lab.hooks.next('UserPromptSubmit', 2);
  expect(submit.body.prompt).toBe(
    '<channel source="synthesis" user="alice">\n[[bash:echo from the channel]]\n</channel>',
  );
  const done = await until('the permitted command', () =>
    lab.hooks.of('PostToolUse').find(({ body }) => body.tool_name === 'Bash'),
  );
  expect(done.body.tool_response).toMatchObject({ stdout: 'from the channel\n' });
  expect(mcpLog()).toContain('notifications/claude/channel/permission_request');
  expect(mcpLog()).toMatch(/"request_id":"[a-km-z]{5}","tool_name":"Bash"/);
  await run.shows('← synthesis · alice:');
});

test('/exit fires SessionEnd, ends the MCP server and leaves with 0', async () => {
  const run = await lab.ready(synthesis());
  await toolsListed();
  run.say('/exit');
  expect(await run.exited()).toBe(0);
  expect(lab.hooks.of('SessionEnd')[0]?.body.reason).toBe('prompt_input_exit');
  expect(mcpLog()).toContain('SIGINT');
  expect(run.screen).toContain('claude --resume ');
});
