import { expect, test } from 'vitest';
import { launchSettings } from '../../../../src/bridge/claude/launch/launch-settings.ts';
import {
  permissionRequest,
  preToolUse,
  unreadAnswer,
} from '../../../../src/bridge/claude/permission/policy-answer.ts';
import { claudeCall } from '../../../../src/domain/policy/call.ts';
import type { Ruling } from '../../../../src/domain/policy/ruling.ts';

const ruling = (decision: Ruling['decision']): Ruling => ({
  decision,
  rule: 2,
  why: 'rule 2',
  reason: 'not here',
});
const bash = claudeCall('Bash', { command: 'ls' });
const said = (call: typeof bash, decision: Ruling['decision']) => {
  const { answer } = preToolUse(call, ruling(decision));
  return (answer as { hookSpecificOutput?: { permissionDecision: string } }).hookSpecificOutput
    ?.permissionDecision;
};

test('PreToolUse says what the policy says, and nothing where Claude Code decides', () => {
  const decisions = ['allow', 'leave', 'ask', 'operator', { quorum: 2 }, 'deny'] as const;
  expect(decisions.map((each) => said(bash, each))).toEqual([
    'allow',
    undefined,
    'ask',
    'ask',
    'ask',
    'deny',
  ]);
  expect(preToolUse(bash, ruling('deny')).answer).toMatchObject({
    hookSpecificOutput: { permissionDecisionReason: 'Denied by the policy (rule 2): not here.' },
  });
});

test('no rule answers a question of Claude’s, and a lent tool is judged where its call arrives', () => {
  expect(said(claudeCall('AskUserQuestion', {}), 'allow')).toBeUndefined();
  expect(said(claudeCall('ExitPlanMode', {}), 'allow')).toBeUndefined();
  expect(said(claudeCall('mcp__synthesis__exec', {}), 'allow')).toBeUndefined();
});

test('a question of Claude Code about what is denied is answered with no; one about what is allowed is asked', () => {
  expect(permissionRequest(bash, ruling('deny')).answer).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'deny' } },
  });
  expect(permissionRequest(bash, ruling('allow')).answer).toBeUndefined();
});

test('what cannot be read is denied before it runs', () => {
  expect(unreadAnswer('PreToolUse')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  expect(unreadAnswer('Stop')).toEqual({});
});

test.each(['curl', 'node'] as const)('with a policy a tool does not run when %s gets no answer', (poster) => {
  const target = { hooksUrl: 'http://127.0.0.1:1', dir: '/d', poster, nodePath: '/node' };
  const hook = (policed: boolean) =>
    (
      launchSettings({ ...target, policed }, { permissions: {} }) as {
        hooks: Record<string, [{ hooks: [Record<string, unknown>] }]>;
      }
    ).hooks.PreToolUse?.[0].hooks[0];
  expect(hook(false)).toMatchObject({ type: 'http' });
  expect(hook(true)).toMatchObject({
    type: 'command',
    command: expect.stringMatching(/\|\| \{ echo .* >&2; exit 2; \}$/),
  });
});
