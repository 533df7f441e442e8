import { expect, test } from 'vitest';
import { promptOf, readInline } from '../../../src/cli/send/inline-answer.ts';

const ask = { code: 'kqzfd', tool: 'Bash', input: { command: 'ls' }, session_rules: [] };
const lasting = { ...ask, session_rules: ['Bash(ls)'] };
const choice = { ...ask, tool: 'AskUserQuestion', input: { questions: [{}] } };

test.each([
  ['y', { verdict: 'allow' }],
  ['YES', { verdict: 'allow' }],
  ['yes KQZFD', { verdict: 'allow' }],
  ['n', { verdict: 'deny' }],
  ['no kqzfd', { verdict: 'deny' }],
  ['no use the other one', { verdict: 'deny', reason: 'use the other one' }],
  ['n kqzfd too early', { verdict: 'deny', reason: 'too early' }],
  ['', undefined],
  ['yes please', undefined],
  ['yes abcde', undefined],
  ['y kqzfd now', undefined],
  ['not now', undefined],
  ['s', undefined],
])('%j to a permission question is %j', (line, answer) => {
  expect(readInline(line, ask)).toEqual(answer);
});

test('for this session is an answer where it is offered', () => {
  expect(promptOf(lasting)).toContain('s for this session');
  expect(promptOf(ask)).not.toContain('session');
  expect(readInline('s', lasting)).toEqual({ verdict: 'allow', scope: 'session' });
  expect(readInline('s kqzfd', lasting)).toEqual({ verdict: 'allow', scope: 'session' });
});

test.each([
  ['2', { verdict: 'allow', answer: '2' }],
  ['the green one', { verdict: 'allow', answer: 'the green one' }],
  ['no idea', { verdict: 'allow', answer: 'no idea' }],
  ['yes kqzfd 2', { verdict: 'allow', answer: '2' }],
  ['yes', { verdict: 'allow', answer: 'yes' }],
  ['n', { verdict: 'deny' }],
  ['no kqzfd', { verdict: 'deny' }],
  ['yes kqzfd', undefined],
  ['', undefined],
])('%j to a question of Claude is %j', (line, answer) => {
  expect(readInline(line, choice)).toEqual(answer);
});

test('several questions are asked for several answers', () => {
  expect(promptOf(choice)).not.toContain(';"');
  expect(promptOf({ ...choice, input: { questions: [{}, {}] } })).toContain('";" between the questions');
});

test('a dialog of Claude Code is asked for a number', () => {
  const input = { dialog: 'd', words: 'Proceed?', options: ['No', 'Yes'] };
  const dialog = { ...ask, tool: 'Claude Code dialog', input };
  expect(promptOf(dialog)).toContain('the number of an option; n presses Esc');
  expect(readInline('2', dialog)).toEqual({ verdict: 'allow', answer: '2' });
  expect(readInline('n', dialog)).toEqual({ verdict: 'deny' });
});
