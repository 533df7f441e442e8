// Claude Code's settings, as far as they can shut the bridge out.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type ClaudeSettings,
  claudeSettings,
  noProxyOf,
} from '../../../src/bridge/claude/launch/claude-settings.ts';
import { channelCheck } from '../../../src/bridge/doctor/claude/channel.ts';
import { hooks, hooksCheck } from '../../../src/bridge/doctor/claude/hooks.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { tempDir } from '../journal/temp-dir.ts';

const user = (settings: object): ClaudeSettings => ({
  ...settings,
  path: '/home/alice/.claude/settings.json',
  level: 'user',
});
const policy = (settings: object): ClaudeSettings => ({
  ...settings,
  path: '/etc/claude-code/managed-settings.json',
  level: 'managed',
});

test.each<[settings: ClaudeSettings[], says: RegExp | undefined]>([
  [[], undefined],
  [[user({})], undefined],
  [[user({ disableAllHooks: true })], /`disableAllHooks` in \/home\/alice/],
  [[user({ disableAllHooks: false })], undefined],
  [[policy({ disableAllHooks: true })], /`disableAllHooks` in \/etc/],
  [[policy({ allowManagedHooksOnly: true })], /`allowManagedHooksOnly`/],
  [[user({ allowManagedHooksOnly: true })], undefined],
  [[user({ allowedHttpHookUrls: ['https://hooks.example/*'] })], /`allowedHttpHookUrls` does not name/],
  [[user({ allowedHttpHookUrls: ['https://hooks.example/*', 'http://127.0.0.1:*'] })], undefined],
  [[user({ allowedHttpHookUrls: [] })], /`allowedHttpHookUrls`/],
])('%j shuts hooks out: %s', (settings, says) => {
  const check = hooksCheck(settings);
  expect(check).toMatchObject(
    says === undefined ? { status: 'ok' } : { status: 'failed', message: expect.stringMatching(says) },
  );
});

test.each<[config: object, settings: ClaudeSettings[], status: string, says: RegExp]>([
  [{}, [], 'ok', /no consent, and needs none/],
  [{ delivery: 'terminal', channels: { development: true } }, [], 'ok', /as configured/],
  [{ delivery: 'channel' }, [], 'warning', /without consent/],
  [{ profiles: [{ match: 'a*', delivery: 'channel' }] }, [], 'warning', /without consent/],
  [{ channels: { development: true } }, [], 'ok', /where Claude Code offers it/],
  [{ channels: { plugin: 'synthesis@ours' } }, [policy({ channelsEnabled: true })], 'ok', /offers it/],
  [{ channels: { development: true } }, [policy({})], 'warning', /does not enable channels/],
  [{ channels: { development: true } }, [user({})], 'ok', /offers it/],
])('delivery with %j and %j is %s', (config, settings, status, says) => {
  expect(channelCheck(Config.parse(config), settings)).toMatchObject({
    status,
    message: expect.stringMatching(says),
  });
});

test('nothing but what is asked for is kept of the files, whatever else they hold', async () => {
  const home = tempDir();
  mkdirSync(join(home, '.claude'));
  const settings = {
    env: { ANTHROPIC_API_KEY: 'secret', HTTP_PROXY: 'http://alice:secret@proxy' },
    disableAllHooks: 'yes',
    channelsEnabled: true,
  };
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(settings));
  mkdirSync(join(home, 'work/.claude'), { recursive: true });
  writeFileSync(join(home, 'work/.claude/settings.local.json'), 'not JSON');
  const read = await claudeSettings({ HOME: home }, [join(home, 'work')], join(home, 'absent.json'));
  const path = join(home, '.claude/settings.json');
  expect(read).toEqual([
    {
      channelsEnabled: true,
      pinned: { disableAllHooks: 'yes' },
      env: { HTTP_PROXY: '' },
      path,
      level: 'user',
    },
  ]);
  expect(
    await claudeSettings({ HOME: '/', CLAUDE_CONFIG_DIR: join(home, '.claude') }, ['/'], undefined),
  ).toHaveLength(1);
});

test('the folder of every profile counts: what shuts hooks out there is found', async () => {
  const home = tempDir();
  const folders = ['work', 'other'].map((name) => join(home, name));
  for (const folder of folders) mkdirSync(join(folder, '.claude'), { recursive: true });
  const other = join(home, 'other/.claude/settings.json');
  writeFileSync(other, JSON.stringify({ allowedHttpHookUrls: [] }));
  const options = {
    stateDir: join(home, 'state'),
    openclaw: 'openclaw',
    running: undefined,
    env: { HOME: home },
  };
  const look = (settings: object) =>
    hooks(
      { ...options, config: Config.parse({ cwd: folders[0], ...settings }) },
      new AbortController().signal,
    );
  expect(await look({})).toMatchObject([{ status: 'ok' }]);
  expect(await look({ profiles: [{ match: 'a*', cwd: folders[1] }] })).toMatchObject([
    { status: 'failed', message: expect.stringContaining(other) },
  ]);
});

test('hosts that a settings file keeps away from a proxy are found; that of the folder counts more', async () => {
  const home = tempDir();
  for (const folder of ['.claude', 'work/.claude']) mkdirSync(join(home, folder), { recursive: true });
  const work = join(home, 'work');
  const hosts = async () => noProxyOf(await claudeSettings({ HOME: home }, [work], undefined));
  expect(await hosts()).toBeUndefined();
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ env: { NO_PROXY: 'ours.example' } }));
  expect(await hosts()).toBe('ours.example');
  writeFileSync(join(work, '.claude/settings.json'), JSON.stringify({ env: { no_proxy: 'theirs.example' } }));
  expect(await hosts()).toBe('theirs.example');
});
