import { expect, test } from 'vitest';
import { readStartExit } from '../../../../src/bridge/claude/screen/exit-reading.ts';

const exit = { code: 1, signal: undefined };

test.each([
  ['No conversation found with session ID: aaaa', 'new'],
  ['Error: Session ID aaaa is already in use.', 'resume'],
] as const)('%s → started the other way', (text, start) => {
  expect(readStartExit([text], exit)).toEqual({ kind: 'restart', start });
});

test.each([
  ['--dangerously-skip-permissions cannot be used with root/sudo privileges', 'start_exited'],
  ['Unable to connect to Anthropic services', 'claude_signed_out'],
  ["error: unknown option '--append-system-prompt-file'", 'claude_too_old'],
  ['execvp(3) failed.: No such file or directory', 'claude_not_found'],
  ['Error: sandbox required but unavailable: socat not installed', 'sandbox_unavailable'],
  ['Segmentation fault', 'start_exited'],
])('%s is %s, with what was on the screen', (text, failure) => {
  const reading = readStartExit(['', text], exit);
  expect(reading).toMatchObject({ kind: 'failed', failure });
  expect(reading.kind === 'failed' && reading.detail).toContain(text);
});

test('a silent end names its exit code or its signal', () => {
  expect(readStartExit([], { code: 3, signal: undefined })).toMatchObject({
    detail: expect.stringContaining('exit code 3'),
  });
  expect(readStartExit([], { code: undefined, signal: 9 })).toMatchObject({
    detail: expect.stringContaining('signal 9'),
  });
});
