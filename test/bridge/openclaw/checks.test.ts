// What `doctor` and `openclaw status` say of a configuration, with a small OpenClaw.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openClawChecks } from '../../../src/bridge/openclaw/checks.ts';
import { pluginFinding } from '../../../src/bridge/openclaw/plugin-check.ts';
import { mergePatches, type Patch, providerPatch } from '../../../src/bridge/openclaw/provider-entry.ts';
import type { Check } from '../../../src/domain/views/check.ts';
import { SmallOpenClaw } from '../../support/small-openclaw.ts';
import { tempDir } from '../journal/temp-dir.ts';

const bridge = { url: 'http://127.0.0.1:18801', tokenFile: '/home/alice/.local/state/synthesis/token' };
const vault = { command: '/node', args: ['/bin/synthesis.js', 'vault', 'serve', '--state-dir', '/state'] };
const registered = providerPatch(bridge);
const provider = (change: Patch) =>
  mergePatches(registered, { models: { providers: { synthesis: change } } });

/** As an older release registered it, with a header that somebody added. */
const unlabelled = mergePatches(provider({ headers: null }), provider({ headers: { other: 'x' } }));
delete (unlabelled as { models: { providers: { synthesis: { headers: Patch } } } }).models.providers.synthesis
  .headers['x-openclaw-provider'];

async function found(config: Patch | undefined, name: string): Promise<Check | undefined> {
  const cli = new SmallOpenClaw(join(tempDir(), 'openclaw.json'), config);
  const options = {
    cli,
    bridge,
    token: 'the-token',
    named: false,
    pluginVersion: '0.2.0',
    vault,
    timeoutMs: 1,
  };
  return (await openClawChecks(options)).find((check) => check.name === name);
}

test.each<[what: string, config: Patch | undefined, status: Check['status'], says: RegExp]>([
  ['no configuration', undefined, 'ok', /does not use this bridge yet/],
  ['a fitting entry', registered, 'ok', /with the right token/],
  ['another address', provider({ baseUrl: 'http://127.0.0.1:1/v1' }), 'warning', /but the bridge is at/],
  ['a copied token', provider({ apiKey: 'the-token' }), 'ok', /right token/],
  ['an old copy', provider({ apiKey: 'old' }), 'warning', /not the one of this bridge/],
  ['no token', provider({ apiKey: null }), 'warning', /has no token/],
  [
    'the token of another bridge',
    mergePatches(registered, { secrets: { providers: { synthesis: { path: '/elsewhere/token' } } } }),
    'warning',
    /reads the token from \/elsewhere/,
  ],
  ['no conversation ids', provider({ models: [{ id: 'claude' }] }), 'warning', /supportsPromptCacheKey/],
  ['more headers', provider({ headers: { other: 'x' } }), 'ok', /right token/],
  ['other headers only', unlabelled, 'warning', /x-openclaw-provider/],
  ['a limit on silence', provider({ timeoutSeconds: 60 }), 'warning', /timeoutSeconds is 60/],
])('the provider with %s', async (_, config, status, says) => {
  const check = await found(config, 'provider');
  expect(check).toMatchObject({ status, message: expect.stringMatching(says) });
  expect(check?.suggestion === null).toBe(status === 'ok');
});

test.each<[what: string, config: Patch, says: RegExp | undefined]>([
  ['nothing is said', {}, undefined],
  ['Telegram shows progress', { channels: { telegram: { streaming: { mode: 'progress' } } } }, undefined],
  [
    'Telegram shows what grows',
    { channels: { telegram: { streaming: { mode: 'partial' } } } },
    /telegram.*up to 1\.5 s/,
  ],
  [
    'an account of Discord does',
    { channels: { discord: { accounts: { main: { streaming: { mode: 'block' } } } } } },
    /discord.*followup/,
  ],
  [
    'messages wait',
    {
      channels: { telegram: { streaming: { mode: 'partial' } } },
      messages: { queue: { mode: 'followup' } },
    },
    /waits.*none is lost/,
  ],
])('the streaming, when %s', async (_, config, says) => {
  const check = await found(mergePatches(registered, config), 'streaming');
  expect(check?.message ?? '').toMatch(says ?? /^$/);
});

const entry = { enabled: true, hooks: { allowConversationAccess: true } };

test.each<[what: string, ...Parameters<typeof pluginFinding>, status: string, says: RegExp, todo: RegExp]>([
  ['of this release', { version: '0.2.0', enabled: true }, entry, '0.2.0', 'ok', /names conversations/, /^$/],
  [
    'an older one',
    { version: '0.1.9', enabled: true },
    entry,
    '0.2.0',
    'warning',
    /older than/,
    /--with-plugin/,
  ],
  [
    'a newer one',
    { version: '0.10.0', enabled: true },
    entry,
    '0.2.0',
    'warning',
    /newer than/,
    /Update synthesis/,
  ],
  [
    'one without version',
    { version: undefined, enabled: true },
    entry,
    '0.2.0',
    'warning',
    /no version/,
    /Run/,
  ],
  ['missing', undefined, entry, '0.2.0', 'warning', /not installed/, /config unset/],
  ['switched off', { version: '0.2.0', enabled: false }, entry, '0.2.0', 'warning', /switched off/, /Run/],
  [
    'blind',
    { version: '0.2.0', enabled: true },
    { enabled: true },
    '0.2.0',
    'warning',
    /does not let/,
    /hooks/,
  ],
])('a plugin %s', (_, state, configured, shipped, status, says, todo) => {
  const { suggestion, ...check } = pluginFinding(state, configured, shipped);
  expect(check).toMatchObject({ status, message: expect.stringMatching(says) });
  expect(suggestion ?? '').toMatch(todo);
});

test('a gateway that was never set up, or does not run, is said with the command for it', async () => {
  expect(await found(registered, 'gateway')).toMatchObject({
    status: 'warning',
    suggestion: expect.stringContaining('openclaw onboard'),
  });
  const set = mergePatches(registered, { gateway: { mode: 'local', port: 1 } });
  expect(await found(set, 'gateway')).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('http://127.0.0.1:1'),
  });
});

test('a plugin that nobody wanted, or that was uninstalled, is no trouble', async () => {
  const mark = { plugins: { entries: { synthesis: { enabled: false } } } };
  for (const config of [registered, mergePatches(registered, mark)]) {
    expect(await found(config, 'plugin')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('--with-plugin'),
    });
  }
});

test('an invalid configuration is said with what OpenClaw finds in it, and nothing else is looked at', async () => {
  const cli = new SmallOpenClaw(join(tempDir(), 'openclaw.json'), registered);
  cli.validity = { valid: false, problems: ['gateway.port: expected a number'] };
  const options = { cli, bridge, token: undefined, named: false, pluginVersion: '0.2.0', vault };
  expect((await openClawChecks(options)).map(({ name, suggestion }) => [name, suggestion])).toEqual([
    ['openclaw', null],
    ['openclaw-config', 'Run `openclaw doctor --fix`.'],
  ]);
});

test.each<[what: string, entry: object | undefined, status: Check['status'] | undefined]>([
  ['as this program starts it', vault, 'ok'],
  ['with another state folder', { ...vault, args: [...vault.args.slice(0, -1), '/old'] }, 'warning'],
  ['of somebody else', { command: 'other', args: [] }, undefined],
  ['that is not there', undefined, undefined],
])('a vault %s', async (_, entry, status) => {
  const servers = entry ? { mcp: { servers: { vault: entry } } } : {};
  expect((await found(mergePatches(registered, servers), 'vault'))?.status).toBe(status);
});
