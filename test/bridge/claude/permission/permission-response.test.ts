import { describe, expect, test } from 'vitest';
import type { PermissionAnswer } from '../../../../src/bridge/app/ports.ts';
import { PermissionRequestHook } from '../../../../src/bridge/claude/hooks/hook-schema.ts';
import { permissionResponse } from '../../../../src/bridge/claude/permission/permission-response.ts';

const decide = (hook: Record<string, unknown>, answer: Partial<PermissionAnswer> = {}) =>
  permissionResponse(
    PermissionRequestHook.parse({
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command: 'make' },
      ...hook,
    }),
    { code: 'abcde', verdict: 'allow', scope: 'once', by: 'chat', ...answer },
  ).hookSpecificOutput.decision;

test('a denial carries its reason to the model and never interrupts', () => {
  expect(decide({}, { verdict: 'deny', reason: ' not now ' })).toEqual({
    behavior: 'deny',
    message: 'Denied by the user: not now',
  });
  expect(decide({}, { verdict: 'deny' })).toEqual({ behavior: 'deny', message: 'Denied by the user.' });
  expect(decide({}, { verdict: 'deny', by: 'expiry' })).toMatchObject({
    message: expect.stringContaining('in time'),
  });
});

describe('for the session', () => {
  const permission_suggestions = [
    {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'make' }],
      behavior: 'allow',
      destination: 'localSettings',
    },
  ];
  test('takes Claude Code’s suggestions, but writes no settings file', () => {
    expect(decide({ permission_suggestions }, { scope: 'session' })).toEqual({
      behavior: 'allow',
      updatedPermissions: [{ ...permission_suggestions[0], destination: 'session' }],
    });
  });
  test('adds nothing when asked for once, or when nothing was suggested', () => {
    expect(decide({ permission_suggestions })).toEqual({ behavior: 'allow' });
    expect(decide({}, { scope: 'session' })).toEqual({ behavior: 'allow' });
  });
});

test('a plan is approved with its input, because a bare yes leaves the dialog open', () => {
  expect(decide({ tool_name: 'ExitPlanMode', tool_input: {} })).toEqual({
    behavior: 'allow',
    updatedInput: {},
  });
});

describe('a question of Claude', () => {
  const tool_input = {
    questions: [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Deep blue' }] }],
  };
  const ask = { tool_name: 'AskUserQuestion', tool_input };

  test.each([
    ['2', 'Deep blue'],
    ['deep BLUE', 'Deep blue'],
    ['something between', 'something between'],
  ])('answered with %j takes %j', (reason, chosen) => {
    expect(decide(ask, { reason })).toEqual({
      behavior: 'allow',
      updatedInput: { ...tool_input, answers: { 'Which colour?': chosen } },
    });
  });

  test('that is declined, or answered with nothing, tells the model just that', () => {
    expect(decide(ask)).toEqual({ behavior: 'deny', message: 'The user answered: yes' });
    expect(decide(ask, { verdict: 'deny' })).toEqual({
      behavior: 'deny',
      message: 'The user declined to answer.',
    });
  });
});
