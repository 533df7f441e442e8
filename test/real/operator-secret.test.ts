// What an approved command of the real Claude Code launders through the user's own tmux server looks like the user: the
// kernel cannot tell them apart. With an operator secret it decides nothing, and the person with the key does.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codeIn } from '../support/code-in.ts';
import { Pty } from '../support/pty.ts';
import { SshAgent } from '../support/ssh-agent.ts';
import { SshKeys } from '../support/ssh-keys.ts';
import { until } from '../support/until.ts';
import { stateDirOf } from './support/bridge.ts';
import { usesTools } from './support/using-model.ts';
import { WatchedWorld } from './support/watched-world.ts';

const program = resolve(import.meta.dirname, '../../bin/synthesis.js');
const { PATH = '' } = process.env;

/** A tmux server that the user has started, outside of every Claude Code. @returns its socket */
async function userTmux(home: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'user-tmux-'));
  const socket = join(folder, 'tmux.sock');
  const pty = new Pty(['tmux', '-S', socket, '-f', '/dev/null', 'new-session', '-s', 'mine', 'cat'], {
    cwd: folder,
    env: { PATH, HOME: home, LANG: 'C.UTF-8' },
    cols: 100,
    rows: 30,
  });
  onTestFinished(async () => {
    execFileSync('tmux', ['-S', socket, 'kill-server']);
    await pty[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  await until('the tmux of the user', () => existsSync(socket), 20_000);
  return socket;
}

async function asks(world: WatchedWorld, command: string): Promise<string> {
  const question = await world.ask('chat', `use Bash ${JSON.stringify({ command })}`);
  const code = codeIn(question);
  expect(code, question).not.toBe('');
  return code;
}

/** One yes, to a command that has the user's tmux approve the next question. @returns code and words of that try */
async function launder(world: WatchedWorld): Promise<{ second: string; told: string }> {
  const work = (file: string) => join(world.cwd, file);
  const socket = await userTmux(world.home.path);
  const approve = `"${process.execPath}" "${program}" approve "$code" -y --state-dir "${stateDirOf(world.home.path)}"`;
  writeFileSync(
    work('laundered.sh'),
    `until [ -s "${work('code')}" ]; do sleep 0.1; done
code=$(cat "${work('code')}")
${approve} >"${work('told')}" 2>&1
echo "exit code $?" >>"${work('told')}"`,
  );
  const first = await asks(
    world,
    `tmux -S ${socket} new-window -d "sh ${work('laundered.sh')}"; echo laundered`,
  );
  expect(await world.ask('chat', `yes ${first}`)).toContain('laundered');
  const second = await asks(world, 'touch precious');
  writeFileSync(work('code'), second);
  const textOf = () => (existsSync(work('told')) ? readFileSync(work('told'), 'utf8') : '');
  await until(
    () => `its try: ${textOf()}`,
    () => textOf().includes('exit code'),
    60_000,
  );
  return { second, told: textOf() };
}

const ran = (world: WatchedWorld) => existsSync(join(world.cwd, 'precious'));

test('without a secret it decides: that is what telling apart does not hold', async () => {
  await using world = await WatchedWorld.start('no-secret');
  usesTools(world.api);
  const { second, told } = await launder(world);
  expect(told).toContain('exit code 0');
  await until('the tool to run', () => ran(world), 30_000);
  expect(world.events('chat', 'permission.decided')).toMatchObject([
    { by: 'chat' },
    { code: second, by: 'cli', who: expect.stringContaining('tmux') },
  ]);
});

test('with a secret it decides nothing, and the person with the key does', async () => {
  using keys = new SshKeys();
  const key = keys.make();
  const config = { operator: { secret: { kind: 'ssh-key', keys: [key.line] } } };
  await using world = await WatchedWorld.start('secret', { config });
  usesTools(world.api);
  const { second, told } = await launder(world);
  expect(told).toContain('None of the keys of `operator.secret`');
  expect(told).toContain('exit code 5');
  expect(world.events('chat', 'permission.decided')).toHaveLength(1);
  expect(ran(world)).toBe(false);

  await using agent = await SshAgent.start(keys.folder, key.file);
  await using pty = new Pty(
    [process.execPath, program, 'approve', second, '-y', '--state-dir', stateDirOf(world.home.path)],
    {
      cwd: world.cwd,
      env: { PATH, HOME: world.home.path, LANG: 'C.UTF-8', ...agent.env },
      cols: 100,
      rows: 30,
    },
  );
  await until(
    () => `the end of approve: ${pty.raw}`,
    () => pty.exitCode !== undefined,
    30_000,
  );
  expect([pty.exitCode, pty.raw]).toEqual([0, expect.stringContaining('Allowed: Bash')]);
  await until('the tool to run', () => ran(world), 30_000);
  expect(world.events('chat', 'permission.decided').at(-1)).toMatchObject({
    code: second,
    by: 'cli',
    who: expect.stringContaining(`proven by ssh-ed25519 ${key.fingerprint}`),
  });
});
