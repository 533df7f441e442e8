import { expect, test } from 'vitest';
import { flagsOf, lostFlags } from '../../src/cli/commands/up/up-flags.ts';

const options = { state: '/s', detach: false, replace: true, quiet: false, json: false };

test('flags that the next bridge has not are said, as they would be typed; nothing else is', () => {
  const before = flagsOf({ ...options, port: 0, cwd: '/my work', permissionMode: 'plan', onExit: 'keep' });
  expect(lostFlags(before, {})).toEqual([
    expect.stringContaining("`--port 0 --cwd '/my work' --permission-mode plan`"),
  ]);
  expect(lostFlags(before, flagsOf({ ...options, port: 1, cwd: '/b' }))).toEqual([
    expect.stringContaining('`--permission-mode plan`'),
  ]);
  expect(lostFlags(before, before)).toEqual([]);
  expect(lostFlags({}, before)).toEqual([]);
});
