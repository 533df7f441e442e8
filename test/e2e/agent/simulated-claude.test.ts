// The slower half of what the simulated Claude promises, each rule in a real terminal.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Lab, type Run } from '../../demo/pty-claude.ts';
import { until } from '../../support/until.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab.close());

const id = 'aaaaaaaa-1111-4222-8333-444444444444';
const mcpLog = () => (existsSync(lab.file('mcp.log')) ? readFileSync(lab.file('mcp.log'), 'utf8') : '');
const said = async (count: number) =>
  String((await lab.hooks.next('Stop', count)).body.last_assistant_message);
const starts = () =>
  readFileSync(lab.file('session-start'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A session whose MCP server has listed its tools. */
async function withTools(env: Record<string, string> = {}, more: string[] = []): Promise<Run> {
  const args = ['--mcp-config', lab.mcpConfig(env), '--allowedTools', 'mcp__synthesis', ...more];
  const run = await lab.ready(args);
  await until('tools/list', () => mcpLog().includes('listed 8 tools'));
  return run;
}

describe('start', () => {
  test('SessionStart comes by its command hook only, and before the prompt row', async () => {
    const run = await lab.ready(['--session-id', id, '--name', 'our chat']);
    expect(starts()).toEqual([expect.objectContaining({ session_id: id, source: 'startup', cwd: lab.cwd })]);
    expect(lab.hooks.of('SessionStart')).toEqual([]);
    expect(run.raw).toContain('\x1b[?2004h');
    expect(run.raw).toContain('\x1b[?1049h');
    expect(run.title).toBe('✳ our chat');
  });

  test('text pasted before the prompt row is lost', async () => {
    const run = lab.start(['--permission-mode', 'manual', '--settings', lab.settings()]);
    run.say('too early');
    await run.shows('❯');
    run.say('in time');
    expect((await lab.hooks.next('UserPromptSubmit')).body.prompt).toBe('in time');
  });

  test('an untrusted folder is asked about, and Enter on its default leaves', async () => {
    const run = lab.start(['--settings', lab.settings()], { SIM_DIALOG: 'trust' });
    await run.shows('Accessing workspace:');
    await run.shows('❯ No, exit');
    expect(existsSync(lab.file('session-start'))).toBe(false);
    run.type('\r');
    expect(await run.exited()).toBe(1);
    expect(existsSync(lab.file('session-start'))).toBe(false);
  });

  test('a folder that was trusted before is not asked about', async () => {
    lab.write('.claude.json', JSON.stringify({ projects: { [lab.root]: { hasTrustDialogAccepted: true } } }));
    await lab.ready([], { SIM_DIALOG: 'trust' });
    expect(starts()).toHaveLength(1);
  });

  test('dialogs come one after the other, and SessionStart after the last', async () => {
    const run = lab.start(['--settings', lab.settings()], { SIM_DIALOG: 'trust,apikey' });
    await run.shows('Yes, I trust this folder');
    run.type('\x1b[B\r');
    await run.shows('Detected a custom API key in your environment');
    await run.shows('❯ 2. No (recommended)');
    expect(existsSync(lab.file('session-start'))).toBe(false);
    run.type('\r');
    await run.shows('? for shortcuts');
    expect(starts()).toHaveLength(1);
  });

  test('Enter on a dialog nobody knows ends the program', async () => {
    const run = lab.start([], { SIM_DIALOG: 'unknown' });
    await run.shows('Something new wants to be decided');
    run.type('\r');
    expect(await run.exited()).toBe(1);
  });

  test('in a dialog of the start SIGTERM leaves at once, without SessionEnd', async () => {
    const run = lab.start(['--settings', lab.settings()], { SIM_DIALOG: 'trust' });
    await run.shows('❯ No, exit');
    run.signal('SIGTERM');
    expect(await run.exited()).toBe(143);
    expect(lab.hooks.of('SessionEnd')).toEqual([]);
  });

  test('without the rollout the channel flag is ignored, in words, and events start nothing', async () => {
    const flags = ['--dangerously-load-development-channels', 'server:synthesis'];
    const args = ['--settings', lab.settings(), ...flags, '--mcp-config', lab.mcpConfig()];
    const run = lab.start(args, { SIM_CHANNELS: 'off' });
    await run.shows('--dangerously-load-development-channels ignored (server:synthesis)');
    await run.shows('Channels are not currently available');
    await until('tools/list', () => mcpLog().includes('listed 8 tools'));
    run.say('[[tool:push {"content":"unheard"}]]');
    await said(1);
    expect(lab.hooks.of('UserPromptSubmit')).toHaveLength(1);
  });

  test.each([
    ['exit:3', 3],
    ['exit:1', 1],
  ])('SIM_START=%s leaves at once with %i', async (fault, code) => {
    expect(await lab.start([], { SIM_START: fault }).exited()).toBe(code);
  });

  test('a wrong flag, a missing configuration and an unknown session are refused with 1', async () => {
    const refused: [string[], string][] = [
      [['--nope'], "error: unknown option '--nope'"],
      [['--mcp-config', '/none.json'], 'MCP config file not found: /none.json'],
      [['--resume', id], `No conversation found with session ID: ${id}`],
      [['--session-id', '1'], 'Error: Invalid session ID. Must be a valid UUID.'],
    ];
    for (const [args, text] of refused) {
      const run = lab.start(args);
      expect(await run.exited()).toBe(1);
      expect(run.raw).toContain(text);
    }
  });
});

describe('typing', () => {
  test('a command never reaches the hook, an unknown one is named', async () => {
    const run = await lab.ready();
    run.say('/nosuch thing');
    await run.shows('Unknown command: /nosuch');
    run.say('/help');
    run.say('after');
    expect((await lab.hooks.next('UserPromptSubmit')).body.prompt).toBe('after');
  });

  test('bash mode leaves its mark without asking anybody', async () => {
    const run = await lab.ready([], { SIM_BASH_LOG: lab.file('bash.log') });
    run.say('!rm -rf x');
    await run.shows('! rm -rf x');
    await lab.hooks.next('Stop');
    expect(readFileSync(lab.file('bash.log'), 'utf8')).toBe('rm -rf x\n');
    expect(lab.hooks.of('UserPromptSubmit')).toEqual([]);
    expect(lab.hooks.of('PermissionRequest')).toEqual([]);
  });

  test('20 KB in small pastes without a gap arrive exactly', async () => {
    const run = await lab.ready();
    const lines = Array.from({ length: 280 }, (_, at) => `line ${at} ${'word '.repeat(12)}end`);
    for (const [at, line] of lines.entries()) run.paste(at === 0 ? line : `\n${line}`);
    run.type('\r');
    expect((await lab.hooks.next('UserPromptSubmit')).body.prompt).toBe(lines.join('\n'));
  });

  test('a long paste is marked as foreign text', async () => {
    const run = await lab.ready();
    run.paste('a\nb\nc\nd');
    await run.shows('❯ [Pasted text #1 +3 lines]');
    run.type('\r');
    expect((await lab.hooks.next('UserPromptSubmit')).body.prompt).toMatch(
      /<pasted_content id="[0-9a-f]{4}">\na\nb/,
    );
  });

  test('a bare exit quits', async () => {
    const run = await lab.ready();
    run.say(' exit ');
    expect(await run.exited()).toBe(0);
  });

  test('a hook may block a prompt; the text stands in the box again', async () => {
    lab.hooks.held.add('UserPromptSubmit');
    const run = await lab.ready();
    run.say('garbled');
    (await lab.hooks.next('UserPromptSubmit')).answer({ decision: 'block', reason: 'not what was sent' });
    await run.shows('not what was sent');
    await until('the text in the box', () => run.box === 'garbled');
    expect(lab.hooks.of('Stop')).toEqual([]);
    const projects = join(lab.root, '.claude/projects');
    const [name = ''] = readdirSync(projects, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.jsonl'),
    );
    const entries = readFileSync(join(projects, name), 'utf8').trim().split('\n');
    expect(entries.map((entry) => JSON.parse(entry))).toMatchObject([
      { type: 'system', promptSubmitEnding: { ending: { reason: 'not what was sent' } } },
    ]);
  });

  test('hidden context of a hook reaches the answer', async () => {
    lab.hooks.held.add('UserPromptSubmit');
    const run = await lab.ready();
    run.say('[[context]]');
    const hookSpecificOutput = { hookEventName: 'UserPromptSubmit', additionalContext: 'only for you' };
    (await lab.hooks.next('UserPromptSubmit')).answer({ hookSpecificOutput });
    expect(await said(1)).toBe('Hidden context:\nonly for you');
  });

  test('the screen is right after a resize, also with wide characters', async () => {
    const run = await lab.ready();
    run.say('[[say:你好 👋|done]]');
    await run.shows('done');
    run.resize(60, 20);
    await until('the footer on row 20', () => run.rows[19]?.includes('manual mode on'));
    await run.shows('● 你好 👋');
    await until('the rule above the prompt', () => run.rows[16] === '─'.repeat(60));
  });

  test('without the alternate screen the answer leaves scrollback and one prompt row', async () => {
    const run = await lab.ready([], { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1' });
    run.say('[[lines:60]]');
    await said(1);
    await run.shows('  Line 60');
    expect(run.raw).not.toContain('\x1b[?1049h');
    // The prompt row goes away for a moment whenever it is drawn anew.
    await until('one prompt row', () => run.rows.filter((row) => row.startsWith('❯')).length === 1);
  });
});

describe('turns', () => {
  test('prompts queued behind a turn run after it as one, under a new id and without the hook', async () => {
    const run = await lab.ready([], { SIM_LINE_MS: '20' });
    run.say('[[lines:100]]');
    await run.shows('Line 2');
    run.say('second');
    run.say('third');
    await lab.hooks.next('UserPromptSubmit', 3);
    await lab.hooks.next('Stop', 2);
    const [first, second] = lab.hooks.of('Stop').map(({ body }) => body.prompt_id);
    expect(first).not.toBe(second);
    expect(lab.hooks.of('UserPromptSubmit').map(({ body }) => body.prompt_id)).toEqual([first, first, first]);
    expect(await said(2)).toContain('You said: second third');
  });

  test('a prompt queued during a tool call joins the running turn', async () => {
    lab.hooks.held.add('PreToolUse');
    const run = await withTools();
    run.say('[[tool:echo {"text":"x"}]]');
    const before = await lab.hooks.next('PreToolUse');
    run.say('[[say:and this]]');
    await lab.hooks.next('UserPromptSubmit', 2);
    before.answer({});
    expect(await said(1)).toBe('echo answered: echo x\nand this');
    expect(lab.hooks.of('Stop')).toHaveLength(1);
  });

  test('Esc with a queue starts the queue at once', async () => {
    const run = await lab.ready([], { SIM_LINE_MS: '20' });
    run.say('[[lines:500]]');
    await run.shows('Line 2');
    run.say('[[say:queued answer]]');
    await lab.hooks.next('UserPromptSubmit', 2);
    run.type('\x1b');
    expect(await said(1)).toBe('queued answer');
  });

  test('Esc during an MCP call tells the server and reports no result', async () => {
    const run = await withTools();
    run.say('[[tool:slow]]');
    await until('the call', () => mcpLog().includes('"name":"slow"'));
    run.type('\x1b');
    await run.shows('No result recorded for 1 call');
    await until('the cancellation', () => mcpLog().includes('"reason":"AbortError: user-cancel"'));
    expect(lab.hooks.of('PostToolUse')).toEqual([]);
    expect(lab.hooks.of('Stop')).toEqual([]);
  });

  test('a failed turn has a StopFailure and nothing else', async () => {
    const run = await lab.ready();
    run.say('[[fail:rate_limit]]');
    expect((await lab.hooks.next('StopFailure')).body).toMatchObject({ error: 'rate_limit' });
    await until('the idle title', () => run.title.startsWith('✳'));
    expect([...lab.hooks.of('Stop'), ...lab.hooks.of('MessageDisplay')]).toEqual([]);
  });

  test('an empty answer stops with the text of the turn before, a silent one does not stop at all', async () => {
    const run = await lab.ready();
    run.say('[[say:whole]]');
    expect(await said(1)).toBe('whole');
    run.say('[[empty]]');
    expect(await said(2)).toBe('whole');
    run.say('[[say:half]][[silent]]');
    await run.shows('● half');
    await until('the idle title', () => run.title.startsWith('✳'));
    await lab.hooks.next('MessageDisplay', 2);
    expect(lab.hooks.of('Stop')).toHaveLength(2);
    expect(lab.hooks.of('MessageDisplay')).toHaveLength(2);
  });

  test('the title turns once a second while a turn hangs', async () => {
    const run = await lab.ready();
    run.say('[[say:begin]][[hang]]');
    await until('the other half of the spinner', () => run.title.startsWith('◑'));
    expect(lab.hooks.of('Stop')).toEqual([]);
  });

  test('a process that dies in a turn fires nothing more', async () => {
    const run = await lab.ready();
    run.say('[[say:a]][[exit:3]]');
    expect(await run.exited()).toBe(3);
    expect([...lab.hooks.of('Stop'), ...lab.hooks.of('SessionEnd')]).toEqual([]);
  });

  test('a background task starts a turn by itself', async () => {
    const run = await lab.ready([], { SIM_BG_MS: '20' });
    run.say('[[bg:the build is done]]');
    const first = await lab.hooks.next('Stop');
    expect(first.body.background_tasks).toEqual([
      expect.objectContaining({ description: 'the build is done' }),
    ]);
    const submit = await lab.hooks.next('UserPromptSubmit', 2);
    const { tool_use_id } = (await lab.hooks.next('PostToolUse')).body;
    expect(submit.body.prompt).toMatch(/^<task-notification>\n<task-id>b\w+<\/task-id>\n/);
    expect(submit.body.prompt).toContain(`<tool-use-id>${tool_use_id}</tool-use-id>`);
    expect(submit.body.prompt).toContain(
      '<summary>Background command "the build is done" completed (exit code 0)</summary>',
    );
    expect((await lab.hooks.next('Stop', 2)).body.background_tasks).toEqual([]);
  });

  test('a Stop hook that blocks sends the turn on under the same id', async () => {
    lab.hooks.held.add('Stop');
    const run = await lab.ready();
    run.say('one');
    const first = await lab.hooks.next('Stop');
    first.answer({ decision: 'block', reason: '[[say:more]]' });
    const second = await lab.hooks.next('Stop', 2);
    expect(second.body).toMatchObject({ stop_hook_active: true, last_assistant_message: 'more' });
    expect(second.body.prompt_id).toBe(first.body.prompt_id);
  });

  test('a slow display handler does not delay the Stop', async () => {
    lab.hooks.held.add('MessageDisplay');
    const run = await lab.ready();
    run.say('[[lines:5]]');
    // Each hook has a connection of its own: they may arrive in another order than they were sent.
    await lab.hooks.next('MessageDisplay');
    await lab.hooks.next('Stop');
    expect(lab.hooks.of('MessageDisplay')).toHaveLength(1);
    lab.hooks.held.clear();
    lab.hooks.of('MessageDisplay')[0]?.answer({});
    const last = await lab.hooks.next('MessageDisplay', 2);
    expect(last.body).toMatchObject({ index: 1, final: true, delta: 'Line 2\nLine 3\nLine 4\nLine 5' });
  });

  test('a slow display handler delays neither the tools nor the message after them', async () => {
    lab.hooks.held.add('MessageDisplay');
    const run = await withTools();
    run.say('[[say:before]][[tool:echo {"text":"x"}]]');
    expect(await said(1)).toBe('echo answered: echo x');
    await lab.hooks.next('MessageDisplay', 2);
    const shown = lab.hooks.of('MessageDisplay').map(({ body }) => body);
    expect(new Set(shown.map(({ message_id }) => message_id)).size).toBe(2);
  });

  test('an unreachable hook is shown and does not stop the turn', async () => {
    const http = { type: 'http', url: 'http://127.0.0.1:1/hooks' };
    const settings = JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [http] }] } });
    lab.writeUserSettings(settings);
    const run = await lab.ready();
    run.say('hello');
    await run.shows('UserPromptSubmit hook failed · connect ECONNREFUSED');
    await said(1);
  });
});

describe('permissions', () => {
  const decide = (decision: object) => ({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
  });
  beforeEach(() => {
    lab.hooks.held.add('PermissionRequest');
  });

  test('a denial is what the tool reports, and the turn goes on', async () => {
    const run = await lab.ready();
    run.say('[[bash:touch never]]');
    (await lab.hooks.next('PermissionRequest')).answer(
      decide({ behavior: 'deny', message: 'Denied by alice' }),
    );
    expect(await said(1)).toBe('Bash failed: Denied by alice');
    expect(existsSync(join(lab.cwd, 'never'))).toBe(false);
  });

  test('a denial that interrupts ends the turn without a Stop', async () => {
    const run = await lab.ready();
    run.say('[[bash:true]]');
    (await lab.hooks.next('PermissionRequest')).answer(decide({ behavior: 'deny', interrupt: true }));
    await run.shows('Interrupted · What should Claude do instead?');
    expect(lab.hooks.of('Stop')).toEqual([]);
  });

  test.each([
    ['{}', {}, 200],
    ['an error status', {}, 500],
  ])('%s decides nothing and the dialog stays', async (_, body, status) => {
    const run = await lab.ready();
    run.say('[[bash:echo hi]]');
    await run.shows('❯ 1. Yes');
    (await lab.hooks.next('PermissionRequest')).answer(body, status);
    run.paste('1');
    run.type('1');
    expect(await said(1)).toBe('Bash answered: hi');
  });

  test('a late interrupting denial still kills the tool that a local Yes started', async () => {
    const run = await lab.ready();
    run.say('[[bash:sleep 30]]');
    await run.shows('❯ 1. Yes');
    run.type('\r');
    await until('the dialog to close', () => !run.screen.includes('Do you want'));
    (await lab.hooks.next('PermissionRequest')).answer(decide({ behavior: 'deny', interrupt: true }));
    await run.shows('Interrupted · What should Claude do instead?');
  });

  test('a question needs an answer: a bare allow leaves it open', async () => {
    const run = await lab.ready();
    run.say('[[ask:Which color?|Blue|Red]]');
    const ask = await lab.hooks.next('PermissionRequest');
    await run.shows('❯ 1. Blue');
    const input = ask.body.tool_input as object;
    ask.answer(decide({ behavior: 'allow', updatedInput: { ...input, answers: { 'Which color?': 'Red' } } }));
    expect(await said(1)).toBe('AskUserQuestion answered: Which color? Red');
    run.say('[[ask:Which size?|Big|Small]]');
    (await lab.hooks.next('PermissionRequest', 2)).answer(decide({ behavior: 'allow' }));
    await run.shows('❯ 1. Big');
    run.type('2');
    expect(await said(2)).toBe('AskUserQuestion answered: Which size? Small');
  });

  test('an approved plan leaves plan mode', async () => {
    const run = await lab.ready(['--permission-mode', 'plan']);
    await run.shows('⏸ plan mode on');
    run.say('[[plan:first this|then that]]');
    const ask = await lab.hooks.next('PermissionRequest');
    expect(ask.body).toMatchObject({ tool_name: 'ExitPlanMode', permission_mode: 'plan' });
    ask.answer(decide({ behavior: 'allow', updatedInput: ask.body.tool_input }));
    await said(1);
    await run.shows('⏸ manual mode on');
  });

  test('parallel calls are asked one after the other', async () => {
    const run = await lab.ready(['--mcp-config', lab.mcpConfig()]);
    await until('tools/list', () => mcpLog().includes('listed 8 tools'));
    run.say('[[tools:echo {"text":"a"};echo {"text":"b"}]]');
    const first = await lab.hooks.next('PermissionRequest');
    await lab.hooks.next('PreToolUse', 2);
    expect(lab.hooks.of('PermissionRequest')).toHaveLength(1);
    first.answer(decide({ behavior: 'allow' }));
    (await lab.hooks.next('PermissionRequest', 2)).answer(decide({ behavior: 'allow' }));
    expect(await said(1)).toBe('echo answered: echo a\necho answered: echo b');
  });

  test('an echoed suggestion is kept: the identical call is not asked again, in a file only when so said', async () => {
    const run = await lab.ready();
    run.say('[[bash:echo hi]]');
    const ask = await lab.hooks.next('PermissionRequest');
    const updatedPermissions = ask.body.permission_suggestions;
    ask.answer(decide({ behavior: 'allow', updatedPermissions }));
    await said(1);
    run.say('[[bash:echo hi]]');
    await said(2);
    expect(lab.hooks.of('PermissionRequest')).toHaveLength(1);
    expect(readFileSync(join(lab.cwd, '.claude/settings.local.json'), 'utf8')).toContain('Bash(echo hi)');
  });

  test('nobody is asked in mode auto, but a question still is', async () => {
    const run = await lab.ready(['--permission-mode', 'auto']);
    run.say('[[bash:echo hi]]');
    expect(await said(1)).toBe('Bash answered: hi');
    run.say('[[ask:Sure?|Yes|No]]');
    await lab.hooks.next('PermissionRequest');
  });

  test('an unanswered request becomes a Notification', async () => {
    const run = await lab.ready([], { SIM_NOTIFY_MS: '50' });
    run.say('[[bash:true]]');
    const notice = await lab.hooks.next('Notification');
    expect(notice.body).toMatchObject({ message: 'Claude needs your permission' });
  });

  test('a hook that takes too long leaves the dialog to the terminal', async () => {
    const url = 'http://127.0.0.1:1/';
    const slow = [{ hooks: [{ type: 'command', command: 'sleep 20', timeout: 0.2 }] }];
    const settings = JSON.stringify({
      hooks: { PermissionRequest: slow, Stop: [{ hooks: [{ type: 'http', url }] }] },
    });
    const run = lab.start(['--permission-mode', 'manual', '--settings', settings]);
    await run.shows('? for shortcuts');
    run.say('[[bash:echo hi]]');
    await run.shows('PermissionRequest hook failed · timed out');
    await run.shows('❯ 1. Yes');
  });

  test('a channel may deny, and the turn goes on', async () => {
    const flags = ['--dangerously-load-development-channels', 'server:synthesis'];
    const args = ['--permission-mode', 'manual', '--settings', lab.settings(), ...flags];
    const run = lab.start([...args, '--mcp-config', lab.mcpConfig({ MCP_VERDICT: 'deny' })]);
    await run.shows('WARNING: Loading development channels');
    run.type('\r');
    await until('tools/list', () => mcpLog().includes('listed 8 tools'));
    run.say('[[bash:touch never]]');
    expect(await said(1)).toContain('Denied via channel synthesis');
  });
});

describe('the MCP server', () => {
  test('it gets the whole environment and learns whom it serves', async () => {
    const run = await withTools({}, ['--session-id', id]);
    for (const [at, [name, value]] of Object.entries([
      ['CLAUDE_CODE_SESSION_ID', id],
      ['CLAUDECODE', '1'],
      ['LAB_TOKEN', 'lab-secret'],
      ['CLAUDE_PROJECT_DIR', lab.cwd],
    ])) {
      run.say(`[[tool:env {"name":"${name}"}]]`);
      expect(await said(Number(at) + 1)).toBe(`env answered: ${value}`);
    }
  });

  test('a tool that was added is there for the next call', async () => {
    const run = await withTools();
    run.say('[[tool:grown]]');
    expect(await said(1)).toContain('No such tool available');
    run.say('[[tool:grow]]');
    await said(2);
    await until('the second list', () => mcpLog().includes('listed 9 tools'));
    run.say('[[tool:grown]]');
    await until('the call', () => mcpLog().includes('"name":"grown"'));
  });

  test('after its death the call fails and it comes back only by hand', async () => {
    const run = await withTools();
    run.say('[[tool:die]]');
    expect(await said(1)).toBe('die failed: Connection closed');
    run.say('[[tool:echo {"text":"x"}]]');
    expect(await said(2)).toContain("MCP server 'synthesis' has disconnected");
    run.say('/mcp reconnect synthesis');
    await run.shows('Reconnected to synthesis.');
    run.say('[[tool:echo {"text":"x"}]]');
    expect(await said(3)).toBe('echo answered: echo x');
  });

  test('a stubborn one is killed in the end', async () => {
    const run = await withTools({ MCP_STUBBORN: '1' });
    run.say('/exit');
    expect(await run.exited()).toBe(0);
    expect(mcpLog()).toMatch(/SIGINT\n[\s\S]*SIGTERM/);
  });

  test('it ends when its parent is killed', async () => {
    const run = await withTools();
    run.signal('SIGKILL');
    await run.exited();
    await until('its end', () => /EOF|SIGHUP/.test(mcpLog()));
    expect(lab.hooks.of('SessionEnd')).toEqual([]);
  });
});

describe('the session', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 0],
  ] as const)('%s fires SessionEnd and leaves with %i', async (signal, code) => {
    const run = await lab.ready();
    run.signal(signal);
    expect(await run.exited()).toBe(code);
    expect(lab.hooks.of('SessionEnd')[0]?.body.reason).toBe('other');
  });

  test('a resumed session remembers, and keeps its id', async () => {
    const first = await lab.ready(['--session-id', id]);
    first.say('the code is 42');
    await said(1);
    first.say('/exit');
    await first.exited();
    const again = lab.start(['--session-id', id, '--settings', lab.settings()]);
    expect(await again.exited()).toBe(1);
    expect(again.raw).toContain(`Error: Session ID ${id} is already in use.`);
    const second = await lab.ready(['--resume', id]);
    second.say('[[recall]]');
    expect(await said(2)).toBe('Earlier messages:\n1. the code is 42');
    expect(starts().map(({ source }) => source)).toEqual(['startup', 'resume']);
  });

  test('/clear ends the session and starts another under a new id', async () => {
    const run = await lab.ready(['--session-id', id]);
    run.say('one');
    await said(1);
    run.say('/clear');
    await until('the second SessionStart', () => starts().length === 2);
    expect((await lab.hooks.next('SessionEnd')).body).toMatchObject({ reason: 'clear', session_id: id });
    expect(starts()[1]).toMatchObject({ source: 'clear' });
    run.say('two');
    expect(await said(2)).toContain('I remember 0 earlier messages.');
    expect(readdirSync(join(lab.root, '.claude/projects'), { recursive: true })).toHaveLength(3);
  });

  test('the list of agents tells idle, busy and waiting apart', async () => {
    const run = await lab.ready(['--session-id', id]);
    const listed = async () => {
      const lister = lab.start(['agents', '--json']);
      await lister.exited();
      return lister.raw;
    };
    expect(await listed()).toContain(`"sessionId":"${id}","status":"idle"`);
    run.say('[[bash:true]]');
    await run.shows('❯ 1. Yes');
    expect(await listed()).toContain('"status":"waiting","waitingFor":"permission prompt"');
  });
});
