// What `synthesis doctor` finds, with small programs in the place of Claude Code and OpenClaw.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../../src/base/process/process-identity.ts';
import { claude } from '../../../src/bridge/doctor/claude/claude.ts';
import type { DoctorOptions } from '../../../src/bridge/doctor/examination.ts';
import { examine } from '../../../src/bridge/doctor/examine.ts';
import { outlivesWords } from '../../../src/bridge/doctor/state/logout.ts';
import type { Check } from '../../../src/domain/views/check.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';

interface World extends Partial<DoctorOptions> {
  settings?: object;
}

async function findings({ settings = {}, ...options }: World = {}): Promise<Check[]> {
  const home = tempDir();
  const answers = { hasCompletedOnboarding: true, projects: { '/': { hasTrustDialogAccepted: true } } };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(answers));
  const looks = examine({
    config: Config.parse({ port: 0, claude: program(home, 'claude', 'echo 2.1.329'), ...settings }),
    stateDir: join(home, 'state'),
    openclaw: 'openclaw',
    env: { PATH: home, HOME: home },
    running: undefined,
    ...options,
  });
  return (await Promise.all(looks)).flat();
}

const named = (checks: Check[], name: string) => checks.find((check) => check.name === name);

function program(dir: string, name: string, body: string): string {
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function serving(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a machine with nothing but Claude Code is well, and every finding without one to do says nothing to do', async () => {
  const checks = await findings();
  expect(checks.map(({ name }) => name)).toEqual([
    'claude',
    'sign-in',
    'first-run',
    'channel',
    'hooks',
    'prompt',
    'permissions',
    'terminal',
    'logout',
    'state',
    'folders',
    'hosts',
    'callers',
    'disk',
    'port',
    'openclaw',
  ]);
  expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(checks.filter(({ suggestion }) => suggestion !== null)).toEqual([]);
});

test.each<[what: string, body: string, status: Check['status'], words: RegExp, remedy: RegExp]>([
  ['an old one', 'echo 1.0.9', 'failed', /1\.0\.9 is older than/, /claude update/],
  ['a mute one', 'exit 3', 'warning', /did not tell its version/, /--version/],
])('a Claude Code is judged by its version: %s', async (_, body, status, words, remedy) => {
  const claude = program(tempDir(), 'claude', body);
  const check = named(await findings({ settings: { claude } }), 'claude');
  expect(check).toMatchObject({
    status,
    message: expect.stringMatching(words),
    suggestion: expect.stringMatching(remedy),
  });
});

test('a newer Claude Code than the proven one is well, and said to be newer, with the way back', async () => {
  const claude = program(tempDir(), 'claude', 'echo 99.1.0');
  const check = named(await findings({ settings: { claude } }), 'claude');
  expect(check).toMatchObject({ status: 'ok', suggestion: null });
  expect(check?.message).toMatch(/99\.1\.0 .*newer than ([\d.]+), which was proven;.*`claude install \1`/);
});

test('a newer OpenClaw than the proven one is well, and said to be newer, with the way back', async () => {
  const other = `echo '{"path":"/nowhere/openclaw.json"}'`;
  const openclaw = program(
    tempDir(),
    'openclaw',
    `[ "$1" = --version ] && echo "OpenClaw 2099.1.2" || ${other}`,
  );
  const check = named(await findings({ openclaw }), 'openclaw');
  expect(check).toMatchObject({ status: 'ok', suggestion: null });
  expect(check?.message).toMatch(
    /2099\.1\.2 .*newer than ([\d.]+), which was proven;.*`openclaw update --tag \1`/,
  );
});

test('a Claude Code that is not there or not signed in is found out', async () => {
  const absent = await findings({ settings: { claude: '/nowhere/claude' } });
  expect(named(absent, 'claude')).toMatchObject({
    status: 'failed',
    message: '"/nowhere/claude" was not found.',
  });
  expect(named(absent, 'sign-in')).toBeUndefined();
  const claude = program(tempDir(), 'claude', '[ "$1" = auth ] && exit 1; echo 2.1.329');
  expect(named(await findings({ settings: { claude } }), 'sign-in')).toMatchObject({ status: 'warning' });
});

test('a program that hangs costs its own finding only, and does not outlive it', async () => {
  const dir = tempDir();
  const claude = program(dir, 'claude', `echo $$ > ${dir}/pid; exec /bin/sleep 60`);
  const openclaw = program(dir, 'openclaw', 'exec /bin/sleep 60');
  const checks = await findings({ settings: { claude }, openclaw, timeoutMs: 3_000 });
  for (const name of ['claude', 'openclaw']) {
    expect(named(checks, name)).toMatchObject({
      status: 'warning',
      message: 'It could not be told within 3 s.',
    });
  }
  expect(named(checks, 'port')).toMatchObject({ status: 'ok' });
  const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
  await until('the end of the program', () => !isRunning(pid));
});

test('what nobody waits for any more starts nothing more', async () => {
  const dir = tempDir();
  const starts = join(dir, 'starts');
  const hangs = program(dir, 'claude', `echo started >> ${starts}; exec /bin/sleep 60`);
  const late = new AbortController();
  const config = Config.parse({ claude: hangs });
  const env = { PATH: dir, HOME: dir };
  const options = { config, env, stateDir: dir, openclaw: 'openclaw', running: undefined };
  const looked = claude(options, late.signal).catch(() => undefined);
  // The shell makes the file before it writes into it.
  await until('its start', () => existsSync(starts) && readFileSync(starts, 'utf8') !== '');
  late.abort();
  await looked;
  expect(readFileSync(starts, 'utf8')).toBe('started\n');
});

test('an OpenClaw that was named has to be there', async () => {
  const checks = await findings({ openclaw: '/nowhere/openclaw' });
  expect(named(checks, 'openclaw')).toMatchObject({
    status: 'warning',
    suggestion: expect.stringContaining('--openclaw'),
  });
});

test('the state folder is a finding when it is a link, open to others, or no folder', async () => {
  const home = tempDir();
  mkdirSync(join(home, 'open'), { mode: 0o755 });
  mkdirSync(join(home, 'closed'), { mode: 0o700 });
  symlinkSync(join(home, 'closed'), join(home, 'link'));
  writeFileSync(join(home, 'file'), '');
  const at = async (name: string) => named(await findings({ stateDir: join(home, name) }), 'state');
  expect(await at('closed')).toMatchObject({ status: 'ok' });
  expect(await at('absent')).toMatchObject({ status: 'ok' });
  expect(await at('open')).toMatchObject({
    status: 'warning',
    suggestion: expect.stringContaining(`chmod go= ${join(home, 'open')}`),
  });
  expect(await at('link')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('symbolic link'),
  });
  expect(await at('file')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('not a directory'),
  });
  writeFileSync(join(home, 'closed/token'), 't', { mode: 0o644 });
  expect(await at('closed')).toMatchObject({
    status: 'warning',
    message: expect.stringContaining(join(home, 'closed/token')),
  });
});

test('a link or FIFO in the state folder is a finding, and a working folder that holds that folder is one', async () => {
  const home = tempDir();
  const stateDir = join(home, 'state');
  mkdirSync(stateDir, { mode: 0o700 });
  const found = await findings({ stateDir, settings: { cwd: home } });
  expect(named(found, 'state')).toMatchObject({ status: 'ok' });
  expect(named(found, 'folders')).toMatchObject({
    status: 'warning',
    message: expect.stringContaining(`holds the bridge's own files (${stateDir})`),
    suggestion: expect.stringContaining('`--cwd`'),
  });
  for (const name of ['bridge.log', 'openclaw.json', 'journal.db', 'media']) {
    symlinkSync(join(home, 'nowhere'), join(stateDir, name));
    expect(named(await findings({ stateDir }), 'state')).toMatchObject({
      status: 'failed',
      message: `${join(stateDir, name)} is a symbolic link.`,
    });
    rmSync(join(stateDir, name));
  }
});

test('whoever holds the port is told apart: this bridge, another one, another program', async () => {
  const bridge = await serving((_, response) => void response.end('{"status":"healthy"}'));
  const other = await serving((_, response) => void response.writeHead(404).end('no'));
  const at = async (port: number, running?: { url: string }) =>
    named(await findings({ settings: { port }, running }), 'port');
  expect(await at(bridge, { url: `http://127.0.0.1:${bridge}` })).toMatchObject({ status: 'ok' });
  expect(await at(bridge)).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('Another bridge serves'),
    suggestion: expect.stringContaining('--state-dir'),
  });
  expect(await at(other)).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('in use by another program'),
    suggestion: expect.stringContaining('synthesis openclaw install'),
  });
});

test('a token of a WeChat gateway that cannot be read is found', async () => {
  const agp = [{ url: 'wss://gateway.example/ws', tokenFile: '/nowhere/token' }];
  const check = named(await findings({ settings: { agp } }), 'agp');
  expect(check).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('cannot be read (ENOENT)'),
  });
});

test('a configuration in which nobody is asked is warned of, with the profile that says so', async () => {
  const settings = {
    permissionMode: 'auto',
    profiles: [
      { match: 'agent:coder:*', permissionMode: 'bypassPermissions' },
      { match: 'agent:main:*', permissionMode: 'acceptEdits' },
      { match: 'agent:cron:*', permissionMode: 'dontAsk' },
      { match: '*', model: 'haiku' },
    ],
  };
  const found = (await findings({ settings })).filter(({ name }) => name === 'permissions');
  expect(found.map(({ status }) => status)).toEqual(['warning', 'warning', 'warning']);
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(/whose profile says no other mode a classifier .*\(auto\)/),
    expect.stringMatching(/of profile "agent:coder:\*" Claude does what it wants.*\(bypassPermissions\)/),
    expect.stringMatching(/of profile "agent:cron:\*" what no rule allows is refused.*\(dontAsk\)/),
  ]);
});

test('what a logout ends is told by what systemd has', () => {
  const manager = { runtimeDir: '/run/user/1', hasUs: false };
  const words = [{ ...manager, lingers: true }, { ...manager, lingers: false }, undefined].map(outlivesWords);
  expect(words).toEqual([
    expect.stringContaining('a logout, in scopes of systemd'),
    expect.stringContaining('`loginctl enable-linger`'),
    expect.stringContaining('no user manager'),
  ]);
});
