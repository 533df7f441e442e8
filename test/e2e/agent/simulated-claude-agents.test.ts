// Agents, tasks and their questions in the simulated Claude, in the order in which Claude Code 2.1.332 tells of them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Lab, type Run } from '../../demo/pty-claude.ts';
import { until } from '../../support/until.ts';

let lab: Lab;
beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab.close());

const decide = (decision: object) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
});
const bodies = () => lab.hooks.posts.map(({ body }) => body);
/** Each hook travels on a connection of its own, and the display never waits: it has no place in the order. */
const eventsOf = (isAgent: boolean) =>
  bodies()
    .filter((body) => 'agent_id' in body === isAgent && body.hook_event_name !== 'MessageDisplay')
    .map((body) => body.hook_event_name);
const submitted = async (count: number) => (await lab.hooks.next('UserPromptSubmit', count)).body;
const stopped = async (count: number) => (await lab.hooks.next('Stop', count)).body;

/** The agent asks, and its question is held. */
async function withQuestion(): Promise<Run> {
  lab.hooks.held.add('PermissionRequest');
  const run = await lab.ready();
  run.say('go [[agent:tests|[[bash:touch made]][[say:all green]]]][[say:started]]');
  await stopped(1);
  await lab.hooks.next('PermissionRequest');
  return run;
}

describe('an agent', () => {
  test('works when the turn is over, tells its hooks apart, and its end is a turn by itself', async () => {
    const run = await withQuestion();
    await run.shows('✻ Waiting for 1 background agent to finish');
    (await lab.hooks.next('PermissionRequest')).answer(decide({ behavior: 'allow' }));
    const second = await stopped(2);
    expect(eventsOf(false)).toEqual([
      ...['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolBatch', 'Stop'],
      ...['UserPromptSubmit', 'Stop'],
    ]);
    expect(eventsOf(true)).toEqual([
      ...['SubagentStart', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolBatch'],
      'SubagentStop',
    ]);
    const [first, told] = [await submitted(1), await submitted(2)];
    const launched = lab.hooks.of('PostToolUse')[0]?.body ?? {};
    expect(launched).toMatchObject({
      tool_name: 'Agent',
      tool_input: { description: 'tests', subagent_type: 'general-purpose' },
      tool_response: { isAsync: true, status: 'async_launched', description: 'tests' },
    });
    const { agentId, outputFile } = launched.tool_response as Record<string, string>;
    const agent = { agent_id: agentId, agent_type: 'general-purpose', prompt_id: first.prompt_id };
    for (const body of bodies().filter((each) => 'agent_id' in each)) expect(body).toMatchObject(agent);
    expect(lab.hooks.of('SubagentStart')[0]?.body).not.toHaveProperty('permission_mode');
    const listed = {
      id: agentId,
      type: 'subagent',
      status: 'running',
      description: 'tests',
      agent_type: 'general-purpose',
    };
    expect(await stopped(1)).toMatchObject({ background_tasks: [listed], last_assistant_message: 'started' });
    const ended = lab.hooks.of('SubagentStop')[0]?.body ?? {};
    expect(ended).toMatchObject({ background_tasks: [listed], last_assistant_message: 'all green' });
    expect(readFileSync(String(ended.agent_transcript_path), 'utf8')).toContain('"isSidechain":true');
    expect(String(told.prompt).split('\n')).toEqual([
      '<task-notification>',
      `<task-id>${agentId}</task-id>`,
      `<tool-use-id>${launched.tool_use_id}</tool-use-id>`,
      `<output-file>${outputFile}</output-file>`,
      '<status>completed</status>',
      '<summary>Agent "tests" finished</summary>',
      expect.stringMatching(/^<note>A task-notification fires each time this agent stops .*<\/note>$/),
      '<result>all green</result>',
      '</task-notification>',
    ]);
    expect(told.prompt_id).not.toBe(first.prompt_id);
    expect(second).toMatchObject({
      prompt_id: told.prompt_id,
      background_tasks: [],
      last_assistant_message: expect.stringContaining('You said: Agent "tests" finished all green'),
    });
    await until('the idle title', () => run.title.startsWith('✳'));
  });

  test('says by its result what the turn does that it begins', async () => {
    const run = await lab.ready();
    run.say('go [[agent:one|[[then:[[say:heard]][[fail:overloaded]]]]]]');
    expect((await lab.hooks.next('StopFailure')).body).toMatchObject({ error: 'overloaded' });
    expect((await submitted(2)).prompt).toContain('<result>[[say:heard]][[fail:overloaded]]</result>');
  });

  test('that fails has a StopFailure of its own and no SubagentStop', async () => {
    const run = await lab.ready();
    run.say('go [[agent:one|[[fail:overloaded]]]]');
    const failure = (await lab.hooks.next('StopFailure')).body;
    expect(failure).toMatchObject({ error: 'overloaded', agent_type: 'general-purpose' });
    expect((await submitted(2)).prompt).toContain(
      '<status>failed</status>\n<summary>Agent "one" failed: Agent terminated early due to an API error: ' +
        'API Error: simulated overloaded</summary>',
    );
    expect(lab.hooks.of('SubagentStop')).toEqual([]);
  });

  test('that Claude stops ends without a hook, and is told as killed', async () => {
    const run = await lab.ready();
    run.say('go [[agent:one|[[hang]]]]');
    await stopped(1);
    run.say('[[tool:TaskStop {"task_id":"one"}]]');
    const told = await submitted(3);
    expect(told.prompt).toContain(
      '<status>killed</status>\n<summary>Agent "one" was stopped by Claude</summary>',
    );
    expect((await lab.hooks.next('Stop', 2)).body).toMatchObject({ background_tasks: [] });
    expect(eventsOf(true)).toEqual(['SubagentStart']);
  });
});

describe('a question of an agent', () => {
  test('is not drawn while its hook is held', async () => {
    const run = await withQuestion();
    await run.shows('✻ Waiting for 1 background agent to finish');
    await until('the working title', () => /^[◐◑]/.test(run.title));
    expect(run.box).toBe('');
    expect(run.screen).not.toContain('Do you want');
  });

  test.each([
    ['{}', {}, 200],
    ['an error status', {}, 500],
  ])('is drawn after %s, and a Yes there runs it', async (_, body, status) => {
    const run = await withQuestion();
    (await lab.hooks.next('PermissionRequest')).answer(body, status);
    await run.shows('ctrl+x ctrl+k twice to stop background agents');
    await until('the title of a dialog', () => run.title.startsWith('✳'));
    run.type('1');
    await stopped(2);
    expect(existsSync(join(lab.cwd, 'made'))).toBe(true);
  });

  test('that is refused in its dialog or by its hook did not run, and the agent goes on', async () => {
    const run = await withQuestion();
    (await lab.hooks.next('PermissionRequest')).answer({});
    await run.shows('Do you want to proceed?');
    run.type('\x1b');
    await stopped(2);
    run.say('go [[agent:two|[[bash:touch made]][[say:well]]]]');
    (await lab.hooks.next('PermissionRequest', 2)).answer(decide({ behavior: 'deny', message: 'not now' }));
    await stopped(4);
    const answers = lab.hooks
      .of('PostToolBatch')
      .filter(({ body }) => 'agent_id' in body)
      .map(({ body }) => (body.tool_calls as Record<string, unknown>[])[0]);
    expect(answers).toEqual([
      expect.objectContaining({
        tool_name: 'Bash',
        tool_response: expect.stringContaining('Permission for this tool use was denied.'),
      }),
      expect.objectContaining({ tool_name: 'Bash', tool_response: 'not now' }),
    ]);
    expect(lab.hooks.of('SubagentStop')).toHaveLength(2);
    expect(existsSync(join(lab.cwd, 'made'))).toBe(false);
  });

  test('stands beside those of other agents: their hooks are held at once, their dialogs come one by one', async () => {
    lab.hooks.held.add('PermissionRequest');
    const run = await lab.ready();
    run.say('go [[agent:one|[[bash:touch first]]]][[agent:two|[[bash:touch second]]]]');
    await lab.hooks.next('PermissionRequest', 2);
    await stopped(1);
    for (const post of lab.hooks.of('PermissionRequest')) post.answer({});
    await run.shows('Do you want to proceed?');
    const made = () => ['first', 'second'].filter((name) => existsSync(join(lab.cwd, name)));
    run.type('1');
    await until('one of them', () => made().length === 1);
    await run.shows('Do you want to proceed?');
    run.type('1');
    await until('both of them', () => made().length === 2);
  });

  test('leaves the chat free: a prompt typed meanwhile is a turn at once, and its id is on the agent’s hooks', async () => {
    const run = await withQuestion();
    run.say('and now?');
    const typed = await submitted(2);
    expect((await stopped(2)).prompt_id).toBe(typed.prompt_id);
    (await lab.hooks.next('PermissionRequest')).answer(decide({ behavior: 'allow' }));
    expect((await lab.hooks.next('SubagentStop')).body.prompt_id).toBe(typed.prompt_id);
  });

  test('is closed when a person stops the agents, and Claude is told in words', async () => {
    const run = await withQuestion();
    run.type('\x18\x0b');
    run.type('\x18\x0b');
    await until('the closed request', () => lab.hooks.of('PermissionRequest')[0]?.aborted);
    expect((await submitted(2)).prompt).toBe('Background agent "tests" was stopped by the user.');
    expect(await stopped(2)).toMatchObject({ background_tasks: [] });
    expect(lab.hooks.of('SubagentStop')).toEqual([]);
  });

  test('is closed by Ctrl+C at an idle prompt, without a word', async () => {
    const run = await withQuestion();
    await until('the end of the turn', () => run.screen.includes('✻ Waiting'));
    run.type('\x03');
    await until('the closed request', () => lab.hooks.of('PermissionRequest')[0]?.aborted);
    await until('the idle title', () => run.title.startsWith('✳'));
    run.say('next');
    expect(await stopped(2)).toMatchObject({
      background_tasks: [],
      prompt_id: (await submitted(2)).prompt_id,
    });
  });
});

describe('news of the background', () => {
  test('of several agents is a UserPromptSubmit each and one turn under the last id', async () => {
    lab.hooks.held.add('Stop').add('PermissionRequest');
    const run = await lab.ready();
    run.say('go [[agent:one|[[bash:true]][[say:a]]]][[agent:two|[[bash:true]][[say:b]]]]');
    const stop = await lab.hooks.next('Stop');
    for (const count of [1, 2]) {
      (await lab.hooks.next('PermissionRequest', count)).answer(decide({ behavior: 'allow' }));
      await lab.hooks.next('SubagentStop', count);
    }
    stop.answer({});
    const [first, one, two] = [await submitted(1), await submitted(2), await submitted(3)];
    expect(new Set([first, one, two].map(({ prompt_id }) => prompt_id)).size).toBe(3);
    const told = await stopped(2);
    expect(told.prompt_id).toBe(two.prompt_id);
    expect(told.last_assistant_message).toContain('Agent "one" finished a');
    expect(told.last_assistant_message).toContain('Agent "two" finished b');
    const displayed = bodies().filter((body) => body.hook_event_name === 'MessageDisplay');
    expect(displayed.map(({ prompt_id }) => prompt_id)).not.toContain(one.prompt_id);
  });

  test('is part of the running turn when the turn goes on behind a tool', async () => {
    lab.hooks.held.add('PreToolUse');
    const run = await lab.ready(['--allowedTools', 'Bash']);
    run.say('go [[agent:one|[[say:a]]]][[bash:echo b]]');
    (await lab.hooks.next('PreToolUse')).answer({});
    const before = await lab.hooks.next('PreToolUse', 2);
    await lab.hooks.next('SubagentStop');
    before.answer({});
    const told = await submitted(2);
    expect(told.prompt).toContain('<summary>Agent "one" finished</summary>');
    expect(await stopped(1)).toMatchObject({
      prompt_id: told.prompt_id,
      last_assistant_message: expect.stringContaining('Agent "one" finished'),
    });
    expect(told.prompt_id).toBe((await submitted(1)).prompt_id);
    expect(lab.hooks.of('Stop')).toHaveLength(1);
  });

  test('and what was typed between a Stop and its answer are taken in their order, each as a turn', async () => {
    lab.hooks.held.add('Stop').add('PermissionRequest');
    const run = await lab.ready();
    run.say('go [[agent:one|[[bash:true]][[say:a]]]]');
    const first = await lab.hooks.next('Stop');
    (await lab.hooks.next('PermissionRequest')).answer(decide({ behavior: 'allow' }));
    await lab.hooks.next('SubagentStop');
    run.say('[[say:typed]]');
    expect((await submitted(2)).prompt_id).toBe(first.body.prompt_id);
    lab.hooks.held.clear();
    first.answer({});
    const told = await submitted(3);
    expect(await stopped(2)).toMatchObject({ prompt_id: told.prompt_id });
    const typed = await stopped(3);
    expect(typed.last_assistant_message).toBe('typed');
    expect(bodies().map(({ hook_event_name, prompt_id }) => [hook_event_name, prompt_id])).not.toContainEqual(
      ['UserPromptSubmit', typed.prompt_id],
    );
  });

  test('of a command in the background names its tool use', async () => {
    const run = await lab.ready(['--allowedTools', 'Bash']);
    const input = { command: 'cat never', description: 'reading', run_in_background: true };
    run.say(`[[tool:Bash ${JSON.stringify(input)}]]`);
    const { tool_use_id, tool_response } = (await lab.hooks.next('PostToolUse')).body;
    const told = String((await submitted(2)).prompt);
    expect(told).toContain(
      `<task-id>${(tool_response as Record<string, string>).backgroundTaskId}</task-id>`,
    );
    expect(told).toContain(`<tool-use-id>${String(tool_use_id)}</tool-use-id>`);
    expect(told).toContain('<summary>Background command "reading" failed with exit code 1</summary>');
  });

  test('of an MCP call that took too long for its turn has neither tool use nor file', async () => {
    const run = await lab.ready(['--mcp-config', lab.mcpConfig(), '--allowedTools', 'mcp__synthesis'], {
      CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '50',
    });
    const log = lab.file('mcp.log');
    await until('tools/list', () => existsSync(log) && readFileSync(log, 'utf8').includes('listed 8 tools'));
    run.say('[[tool:slow]]');
    const [first] = (await stopped(1)).background_tasks as Record<string, string>[];
    expect(first).toEqual({
      id: expect.stringMatching(/^k/),
      type: 'MCP task',
      status: 'running',
      description: 'synthesis/slow',
      server: 'synthesis',
      tool: 'slow',
    });
    const [{ text } = { text: '' }] = (await lab.hooks.next('PostToolUse')).body.tool_response as {
      text: string;
    }[];
    expect(text).toContain(
      `MCP tool "synthesis/slow" is still running after 0.05s. It was moved to the background as task ${first?.id} `,
    );
    run.say('[[tool:release]]');
    expect((await submitted(3)).prompt).toBe(
      `<task-notification>\n<task-id>${first?.id}</task-id>\n<status>completed</status>\n` +
        `<summary>MCP task ${first?.id} (synthesis/slow) completed.</summary>\n<result>\ndone at last\n</result>\n` +
        '</task-notification>',
    );
  });
});

test('a Stop hook of the user’s own settings sends the turn on, beside the hooks of --settings', async () => {
  const block = JSON.stringify({ decision: 'block', reason: '[[say:second part]]' });
  const command = `[ -e ${lab.file('asked')} ] || { touch ${lab.file('asked')}; echo '${block}'; }`;
  lab.writeUserSettings(JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }));
  const run = await lab.ready();
  run.say('[[say:first part]]');
  const [first, second] = [await stopped(1), await stopped(2)];
  expect(first).toMatchObject({ stop_hook_active: false, last_assistant_message: 'first part' });
  expect(second).toMatchObject({
    stop_hook_active: true,
    last_assistant_message: 'second part',
    prompt_id: first.prompt_id,
  });
  await until('the end of the turn', () =>
    readFileSync(String(first.transcript_path), 'utf8').includes('"subtype":"turn_duration"'),
  );
});
