import { expect, test } from 'vitest';
import { hooksOff, switchedOff } from '../../../../src/bridge/claude/hooks/hooks-off.ts';
import type { ClaudeSettings } from '../../../../src/bridge/claude/launch/claude-settings.ts';

const file = (path: string, more: Partial<ClaudeSettings> = {}): ClaudeSettings => ({
  path,
  level: 'user',
  ...more,
});
const user = (more: Partial<ClaudeSettings>) => file('/home/alice/.claude/settings.json', more);
const local = (more: Partial<ClaudeSettings>) =>
  file('/work/.claude/settings.local.json', { level: 'folder', ...more });
const managed = (more: Partial<ClaudeSettings>) =>
  file('/etc/claude-code/managed-settings.json', { level: 'managed', ...more });

test.each<[string, ClaudeSettings[], string | undefined]>([
  ['nothing', [user({}), local({})], undefined],
  [
    'no switch of the user or of the folder',
    [user({ disableAllHooks: true }), local({ disableAllHooks: true })],
    undefined,
  ],
  [
    'the switch of the organisation',
    [user({ disableAllHooks: false }), managed({ disableAllHooks: true })],
    'disableAllHooks in /etc/claude-code/managed-settings.json',
  ],
  [
    'addresses',
    [user({ allowedHttpHookUrls: ['https://hooks.example/*'] })],
    'allowedHttpHookUrls does not name http://127.0.0.1:*/* in /home/alice/.claude/settings.json',
  ],
])('%s keeps hooks away', (_, settings, words) => {
  expect(hooksOff(settings)).toBe(words);
});

test.each<[string, ClaudeSettings[], string | undefined]>([
  ['nothing says so', [user({}), local({})], undefined],
  ['the user says so', [user({ disableAllHooks: true }), local({})], '/home/alice/.claude/settings.json'],
  [
    'the folder says otherwise',
    [user({ disableAllHooks: true }), local({ disableAllHooks: false })],
    undefined,
  ],
  ['only the folder says so, which does not count', [user({}), local({ disableAllHooks: true })], undefined],
])('hooks are switched off by the user where %s', (_, settings, path) => {
  expect(switchedOff(settings)).toBe(path);
});
