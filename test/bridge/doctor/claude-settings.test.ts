// Claude Code's settings, as far as they can shut the bridge out.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeSettings } from '../../../src/bridge/claude/launch/claude-settings.ts';
import { channelCheck } from '../../../src/bridge/doctor/claude/channel.ts';
import { hooks, hooksCheck } from '../../../src/bridge/doctor/claude/hooks.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { tempDir } from '../journal/temp-dir.ts';

const user = (settings: object) => ({
  ...settings,
  path: '/home/alice/.claude/settings.json',
  managed: false,
});
const policy = (settings: object) => ({
  ...settings,
  path: '/etc/claude-code/managed-settings.json',
  managed: true,
});

test.each<[settings: ReturnType<typeof user>[], says: RegExp | undefined]>([
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

test.each<[config: object, settings: ReturnType<typeof user>[], status: string, says: RegExp]>([
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

test('nothing but the switches is kept of the files, whatever else they hold', async () => {
  const home = tempDir();
  mkdirSync(join(home, '.claude'));
  const settings = { env: { ANTHROPIC_API_KEY: 'secret' }, disableAllHooks: 'yes', channelsEnabled: true };
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(settings));
  mkdirSync(join(home, 'work/.claude'), { recursive: true });
  writeFileSync(join(home, 'work/.claude/settings.local.json'), 'not JSON');
  const read = await claudeSettings({ HOME: home }, [join(home, 'work')], join(home, 'absent.json'));
  expect(read).toEqual([
    { channelsEnabled: true, path: join(home, '.claude/settings.json'), managed: false },
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
  writeFileSync(other, JSON.stringify({ disableAllHooks: true }));
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
