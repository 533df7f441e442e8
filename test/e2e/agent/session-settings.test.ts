// Settings of a session follow the configuration: what its Claude Code is really started with.
import { mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionRow } from '../../../src/domain/views/session/session-row.ts';
import { until } from '../../support/until.ts';
import { onlyHookDoor } from '../support/hook-door.ts';
import { Home } from '../support/program.ts';

const key = 'ops:one';

class ConfiguredHome extends Home {
  async row(): Promise<SessionRow> {
    const [row] = JSON.parse((await this.command('ps', '--json')).stdout);
    return row;
  }

  /** The mode that the running Claude Code was started with. */
  async startedIn(): Promise<string | undefined> {
    const { pid } = await this.row();
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return argv[argv.indexOf('--permission-mode') + 1];
  }
}

test('a mode that was tightened holds from the next start on; a looser one waits for the restart of the session', async () => {
  await using home = new ConfiguredHome();
  home.configure({ permissionMode: 'bypassPermissions' });
  const first = await home.up();
  await first.ask(key, 'hello');
  expect(await home.startedIn()).toBe('bypassPermissions');
  expect((await home.command('ps')).stdout).toContain('bypassPermissions !');
  await first.end();

  home.configure({ permissionMode: 'manual' });
  const second = await home.up();
  await second.ask(key, 'hello again');
  expect(await home.startedIn()).toBe('manual');
  expect(await home.row()).toMatchObject({
    permission_mode: 'manual',
    permission_mode_source: 'configuration',
    waits_for_restart: null,
  });
  await second.end();

  home.configure({ profiles: [{ match: 'ops:*', permissionMode: 'bypassPermissions' }] });
  const third = await home.up();
  await third.ask(key, 'and again');
  expect(await home.startedIn()).toBe('manual');
  const { id, ...kept } = await home.row();
  expect(kept).toMatchObject({ permission_mode: 'manual', permission_mode_source: 'kept' });
  expect((await home.command('ps')).stderr).toContain(
    `${key}: permission mode bypassPermissions waits for: synthesis restart ${id}`,
  );
  expect((await home.command('inspect', key)).stdout).toMatch(
    /^permissions {2}manual \(kept: the configuration is looser\)$/m,
  );
  expect(await home.command('restart', key)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Its permission mode is bypassPermissions !.'),
  });
  expect(await home.startedIn()).toBe('bypassPermissions');
  expect(await home.row()).toMatchObject({
    permission_mode: 'bypassPermissions',
    permission_mode_source: 'profile ops:*',
    waits_for_restart: null,
  });
});

test('a message that waited through a crash of the bridge is given to a Claude Code in the tightened mode', async () => {
  await using home = new ConfiguredHome();
  home.configure({ permissionMode: 'bypassPermissions' });
  const first = await home.up();
  await first.ask(key, 'hello');
  first.says(key, '[[hang]]');
  await until('the turn that hangs', async () => (await home.row()).state === 'working');
  first.says(key, 'what waits');
  await until('the message that waits', async () => (await home.row()).queued === 1);
  await first.kill();
  home.configure({ permissionMode: 'plan' });
  await home.up();
  await until('its answer', async () =>
    (await home.command('logs', key)).stdout.includes('user] what waits'),
  );
  expect(await home.startedIn()).toBe('plan');
});

test('a Claude Code that outlived its bridge does not go on without the sandbox that the next one wants', async () => {
  await using home = new ConfiguredHome();
  const settingsOf = async () => {
    const { pid } = await home.row();
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return JSON.parse(readFileSync(argv[argv.indexOf('--settings') + 1] ?? '', 'utf8')).sandbox;
  };
  home.configure({});
  const first = await home.up();
  await first.ask(key, 'hello');
  const before = await home.row();
  expect([before.sandbox, (await settingsOf()).enabled]).toEqual(['off', undefined]);
  await first.kill();
  home.configure({ profiles: [{ match: 'ops:*', sandbox: 'on' }] });
  const second = await home.up();
  await second.ask(key, 'hello again');
  const after = await home.row();
  expect([after.sandbox, (await settingsOf()).enabled, after.pid === before.pid]).toEqual([
    'on',
    true,
    false,
  ]);
  await second.kill();
  home.configure({});
  await home.up();
  expect(await home.row()).toMatchObject({ sandbox: 'on', waits_for_restart: { sandbox: 'off' } });
  expect((await home.command('restart', key)).code).toBe(0);
  expect([(await home.row()).sandbox, (await settingsOf()).enabled]).toEqual(['off', undefined]);
});

test('a restart takes over all settings, also when a message waits that starts Claude Code by itself', async () => {
  await using home = new ConfiguredHome();
  home.configure({ permissionMode: 'plan' });
  const first = await home.up();
  await first.ask(key, 'hello');
  await first.end();
  home.configure({ permissionMode: 'acceptEdits' });
  const second = await home.up();
  second.says(key, '[[hang]]');
  await until('the turn that hangs', async () => (await home.row()).state === 'working');
  second.says(key, 'what waits');
  await until('the message that waits', async () => (await home.row()).queued === 1);
  expect(await home.startedIn()).toBe('plan');
  expect((await home.command('restart', key)).code).toBe(0);
  expect(await home.startedIn()).toBe('acceptEdits');
});

test('another folder waits for the restart, which goes on with the conversation there', async () => {
  await using home = new ConfiguredHome();
  const folder = join(home.cwd, 'sub');
  mkdirSync(folder);
  const first = await home.up();
  await first.ask(key, 'hello');
  await first.end();
  home.configure({ profiles: [{ match: '*', cwd: 'sub' }] });
  const second = await home.up();
  await second.ask(key, 'hello again');
  const { pid, cwd, waits_for_restart } = await home.row();
  expect([readlinkSync(`/proc/${pid}/cwd`), cwd, waits_for_restart]).toEqual([
    home.cwd,
    home.cwd,
    { permission_mode: null, cwd: folder, sandbox: null, contain: null },
  ]);
  expect((await home.command('restart', key)).code).toBe(0);
  const after = await home.row();
  expect([readlinkSync(`/proc/${after.pid}/cwd`), after.cwd, after.waits_for_restart]).toEqual([
    folder,
    folder,
    null,
  ]);
  expect(await second.ask(key, 'still there?')).toContain('I remember 2 earlier');
});

test('a mode that Claude Code was led to is shown as such, and ends with its process', async () => {
  await using home = new ConfiguredHome();
  const bridge = await home.up();
  bridge.says(key, '[[write:notes.txt]]');
  await until('the question', async () => (await home.row()).asking.length === 1);
  const [code = ''] = (await home.row()).asking;
  expect((await home.command('approve', code, '--scope', 'session')).code).toBe(0);
  await until(
    'the mode that the answer led to',
    async () => (await home.row()).permission_mode === 'acceptEdits',
  );
  expect((await home.row()).permission_mode_source).toBe('switched from manual');
  await until('the end of the turn', async () => (await home.row()).state === 'idle');
  await home.command('stop', key);
  await bridge.ask(key, 'hello');
  expect(await home.startedIn()).toBe('manual');
  expect(await home.row()).toMatchObject({
    permission_mode: 'manual',
    permission_mode_source: 'configuration',
  });
});

test("a subagent's permission mode is not taken for its session's", async () => {
  await using home = new ConfiguredHome();
  const bridge = await home.up();
  await bridge.ask(key, 'hello');
  const hook = (more: object) => onlyHookDoor(home.state).post('Stop', more);
  expect((await hook({ agent_id: 'a1', permission_mode: 'acceptEdits' })).status).toBe(200);
  expect((await home.row()).permission_mode).toBe('manual');
  await hook({ permission_mode: 'acceptEdits' });
  expect((await home.row()).permission_mode).toBe('acceptEdits');
});
