import { beforeEach, expect, test } from 'vitest';
import { until } from '../../../support/until.ts';
import { HookedRun } from '../hooked-run.ts';

let claude: HookedRun;
beforeEach(() => {
  claude = new HookedRun();
});

/** @returns what Claude Code is told about this call */
async function called(tool_name: string, tool_input: unknown): Promise<unknown> {
  const n = claude.host.hooked('PreToolUse', { session_id: 's', tool_name, tool_input });
  const answers = () => claude.host.answers.flatMap(([of, answer]) => (of === n ? [answer] : []));
  await until('its answer', () => answers().length > 0);
  return answers()[0];
}

const denied = { hookSpecificOutput: { permissionDecision: 'deny' } };

test.each([{ to: 'main' }, { to: 'a9' }, { message: 'hi' }, 'hi'])('%j is denied', async (input) => {
  expect(await called('SendMessage', input)).toMatchObject(denied);
});

test('other tools may have the same input', async () => {
  expect(await called('Bash', { to: 'main' })).not.toMatchObject(denied);
});

test('an agent of its own is written to while it works and when it has ended', async () => {
  claude.working();
  const agent = { tool_name: 'Agent', tool_input: {}, tool_use_id: 'toolu_1' };
  claude.hook('SubagentStart', { agent_id: 'a1' });
  expect(await called('SendMessage', { to: 'a1' })).not.toMatchObject(denied);
  claude.hook('PostToolUse', { ...agent, tool_response: { isAsync: true, agentId: 'a1' } });
  claude.hook('SubagentStop', { agent_id: 'a1' });
  claude.submit('<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n');
  expect(claude.session.tasks).toEqual([]);
  expect(await called('SendMessage', { to: 'a1' })).not.toMatchObject(denied);
});
