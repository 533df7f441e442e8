import { expect, test } from 'vitest';
import { classifySubmission } from '../../src/demo/claude/turn/submission.ts';

test.each([
  ['/help me', { kind: 'command', name: 'help', argument: 'me' }],
  [' \n/nosuch', { kind: 'command', name: 'nosuch', argument: '' }],
  ['!ls -l', { kind: 'bash', command: 'ls -l' }],
  ['exit', { kind: 'quit' }],
  [' :wq ', { kind: 'quit' }],
])('%j is %j', (text, expected) => {
  expect(classifySubmission(text)).toEqual(expected);
});

test.each([
  '/tmp/f.txt',
  ' !ls',
  '# note',
  '? what',
  'Exit',
  'exit.',
  'q',
  '[alice] /help',
  'alice:\n/help',
  'alice: exit',
])('%j is an ordinary prompt', (text) => {
  expect(classifySubmission(text)).toEqual({ kind: 'prompt', text });
});
