// What commands in the sandbox are kept from, by configuration and folders.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxSettings } from '../../src/bridge/claude/sandbox/sandbox-settings.ts';
import { sandboxAccess } from '../../src/bridge/sandbox-access.ts';
import { Config } from '../../src/protocol/settings/config.ts';
import { tempDir } from './journal/temp-dir.ts';

const config = Config.parse({
  allowedDomains: ['registry.npmjs.org'],
  vault: { path: '/notes' },
  profiles: [{ match: 'open*', allowedDomains: ['*.example.com'], vault: { path: '/other-notes' } }],
});
const own = { stateDir: '/home/u/state', files: ['/home/u/config.json'] };
const access = (key: string, controlPath = '/run/user/7/synthesis/1.sock', env = { HOME: '/home/u' }) =>
  sandboxAccess(config, key, { own, controlPath, env });

test('keys, the state folder, sockets and every vault are hidden; pictures and memory of the session are not', () => {
  const { hidden, shown, domains } = access('chat');
  expect(hidden).toEqual([
    ...['.ssh', '.aws', '.config/gh', '.gnupg'].map((name) => `/home/u/${name}`),
    ...['/home/u/state', '/home/u/config.json', '/run/user/7/synthesis', '/notes', '/other-notes'],
  ]);
  expect(shown.map((path) => path.replace(/[0-9a-f]{16,}/, 'ID'))).toEqual([
    '/home/u/state/media/ID',
    '/home/u/state/memory/ID',
  ]);
  expect(shown).not.toEqual(access('another').shown);
  expect([domains, access('open-1').domains]).toEqual([['registry.npmjs.org'], ['*.example.com']]);
});

test('of a folder that is not the bridge’s alone only the socket is hidden, and a link with where it leads', () => {
  expect(access('chat', '/tmp/control.sock').hidden).toContain('/tmp/control.sock');
  const home = tempDir();
  mkdirSync(join(home, 'keys'));
  symlinkSync(join(home, 'keys'), join(home, '.ssh'));
  const { hidden } = access('chat', '/tmp/control.sock', { HOME: home });
  expect(hidden).toEqual(expect.arrayContaining([join(home, '.ssh'), join(home, 'keys')]));
});

const settings = (mode: 'off' | 'on' | 'required', cwd = '/work') =>
  sandboxSettings(mode, cwd, '127.0.0.1:4', { domains: ['a.com'], hidden: ['/notes', '/keys'], shown: [] });

test('off leaves Claude Code’s own settings alone, but for the hooks', () => {
  expect(settings('off')).toEqual({ network: { allowedDomains: ['127.0.0.1:4'] } });
});

test('on and required differ in one thing, and neither hides the folder that a command works in', () => {
  expect(settings('required')).toEqual({ ...settings('on'), failIfUnavailable: true });
  expect(settings('on')).toMatchObject({
    enabled: true,
    failIfUnavailable: false,
    autoAllowBashIfSandboxed: false,
    allowUnsandboxedCommands: false,
    network: { allowedDomains: ['127.0.0.1:4', 'a.com'] },
    filesystem: { denyRead: ['/notes', '/keys'] },
  });
  for (const cwd of ['/notes', '/notes/work'])
    expect(settings('on', cwd)).toMatchObject({ filesystem: { denyRead: ['/keys'] } });
  expect(settings('on', '/notes-too')).toMatchObject({ filesystem: { denyRead: ['/notes', '/keys'] } });
});

test.each(['https://a.com', 'a.com/x', '*', 'a b', '', '*.', 'a.com:', 'a.com:123456'])(
  'a host is written as Claude Code takes it: not %j',
  (domain) => {
    expect(Config.safeParse({ allowedDomains: [domain] }).success).toBe(false);
  },
);
