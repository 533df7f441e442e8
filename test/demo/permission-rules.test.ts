import { expect, test } from 'vitest';
import {
  applyUpdates,
  gate,
  type Policy,
  suggestions,
} from '../../src/demo/claude/permission/permission-rules.ts';

const manual: Policy = { mode: 'default', allow: [], deny: [] };
const bash = (command: string) => ({ name: 'Bash', input: { command } });
const mcp = { name: 'mcp__synthesis__send', input: {} };

test.each([
  ['default', 'ask', 'ask'],
  ['acceptEdits', 'run', 'ask'],
  ['plan', 'ask', 'ask'],
  ['auto', 'run', 'run'],
  ['bypassPermissions', 'run', 'run'],
  ['dontAsk', 'refuse', 'refuse'],
] as const)('in mode %s a file write is to %s and a command to %s', (mode, write, command) => {
  expect(gate({ name: 'Write', input: {} }, { ...manual, mode }).kind).toBe(write);
  expect(gate(bash('curl x'), { ...manual, mode }).kind).toBe(command);
});

test('a question for a person is asked in every mode', () => {
  const ask = { name: 'AskUserQuestion', input: {} };
  expect(gate(ask, { ...manual, mode: 'bypassPermissions', allow: ['AskUserQuestion'] }).kind).toBe('ask');
});

test.each([
  ['mcp__synthesis', mcp, 'run'],
  ['mcp__synthesis__send', mcp, 'run'],
  ['mcp__synth', mcp, 'ask'],
  ['Bash', bash('ls'), 'run'],
  ['Bash(ls)', bash('ls'), 'run'],
  ['Bash(ls)', bash('ls -l'), 'ask'],
  ['Bash(npm:*)', bash('npm test'), 'run'],
] as const)('the rule %s lets %j %s', (rule, call, kind) => {
  expect(gate(call, { ...manual, allow: [rule] }).kind).toBe(kind);
});

test('a deny rule beats every mode', () => {
  expect(gate(bash('ls'), { mode: 'bypassPermissions', allow: ['Bash'], deny: ['Bash'] }).kind).toBe(
    'refuse',
  );
});

test('after its own suggestion was taken, the identical call is not asked again', () => {
  for (const call of [bash('curl x'), bash('touch a'), { name: 'Write', input: { file_path: 'a' } }, mcp]) {
    const policy = applyUpdates(manual, suggestions(call, '/work') ?? []);
    expect(gate(call, policy).kind).toBe('run');
  }
});
