import { expect, test } from 'vitest';
import { hooksOff } from '../../../../src/bridge/claude/hooks/hooks-off.ts';
import type { ClaudeSettings } from '../../../../src/bridge/claude/launch/claude-settings.ts';

const file = (path: string, more: Partial<ClaudeSettings> = {}): ClaudeSettings => ({
  path,
  managed: false,
  ...more,
});
const user = (more: Partial<ClaudeSettings>) => file('/home/alice/.claude/settings.json', more);
const local = (more: Partial<ClaudeSettings>) => file('/work/.claude/settings.local.json', more);

test.each<[string, ClaudeSettings[], string | undefined]>([
  ['nothing', [user({}), local({})], undefined],
  [
    'the switch of the user',
    [user({ disableAllHooks: true }), local({})],
    'disableAllHooks in /home/alice/.claude/settings.json',
  ],
  [
    'the switch of the folder, which counts more',
    [user({ disableAllHooks: false }), local({ disableAllHooks: true })],
    'disableAllHooks in /work/.claude/settings.local.json',
  ],
  [
    'nothing, where the folder says otherwise',
    [user({ disableAllHooks: true }), local({ disableAllHooks: false })],
    undefined,
  ],
  [
    'addresses',
    [user({ allowedHttpHookUrls: ['https://hooks.example/*'] })],
    'allowedHttpHookUrls does not name http://127.0.0.1:*/* in /home/alice/.claude/settings.json',
  ],
])('%s keeps hooks away', (_, settings, words) => {
  expect(hooksOff(settings)).toBe(words);
});
