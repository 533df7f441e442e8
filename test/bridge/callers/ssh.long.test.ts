// A login by ssh, with a real daemon: whoever began it is who calls, wherever the shell in it seems to be.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadKernel } from '../../../src/base/process/kernel.ts';
import { FactsReader } from '../../../src/bridge/callers/caller-facts.ts';
import { Callers } from '../../../src/bridge/callers/callers.ts';
import type { Caller } from '../../../src/domain/caller/caller.ts';
import { lastingPort } from '../../support/lasting-port.ts';
import { until } from '../../support/until.ts';

const sshd = '/usr/sbin/sshd';
const hasSshd = existsSync(sshd);
/** Skipped where there is no such daemon, but for the CI, which installs it. */
const sshTest = test.skipIf(!hasSshd && !process.env.CI);

const dir = mkdtempSync(join(tmpdir(), 'ssh-'));
const path = join(dir, 'c.sock');
const hosts = new Map<number, string>();
const children: ChildProcess[] = [];
const local = createServer((socket) => {
  look = callers.onLocal(socket);
  socket.on('error', () => {});
});
const sessions = join(dir, 'sessions');
mkdirSync(sessions);
const callers = new Callers({
  kernel: loadKernel(),
  facts: new FactsReader({ sessions, hosts: () => hosts }),
});
let look: (() => Caller) | undefined;
let ssh = '';

/** Comes to the door, and stays. */
const dial = `"${process.execPath}" -e 'require("net").connect("${path}").on("error", () => {}); setTimeout(() => {}, 60000)'`;

beforeAll(async () => {
  if (!hasSshd && !process.env.CI) return;
  const port = await lastingPort();
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, name)]);
  execFileSync('cp', [join(dir, 'user.pub'), join(dir, 'authorized')]);
  writeFileSync(
    join(dir, 'config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${dir}/host`,
      `AuthorizedKeysFile ${dir}/authorized`,
      `PidFile ${dir}/pid`,
      'StrictModes no',
      'UsePAM no',
      'PermitRootLogin yes',
      'PermitUserEnvironment no',
    ].join('\n'),
  );
  chmodSync(dir, 0o700);
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  children.push(spawn(sshd, ['-D', '-e', '-f', join(dir, 'config')], { stdio: 'ignore' }));
  ssh = `ssh -F /dev/null -i ${dir}/user -p ${port} -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null ${userInfo().username}@127.0.0.1`;
  local.listen(path);
  await once(local, 'listening');
  await until('the daemon', () => run('true').then(([code]) => code === 0), 20_000);
});

beforeEach(() => {
  look = undefined;
  hosts.clear();
});

afterAll(() => {
  for (const { pid } of children) kill(pid ?? 0);
  local.close();
  rmSync(dir, { recursive: true });
});

function kill(pid: number): void {
  for (const target of [-pid, pid])
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // It has ended, or leads no group.
    }
}

async function run(command: string): Promise<[number | null]> {
  const child = start(command);
  const [code] = (await once(child, 'exit')) as [number | null];
  return [code];
}

/** Begins a login. @param flags of ssh */
function start(command: string, flags = ''): ChildProcess {
  const [program, rest] = ssh.split(/ (.*)/s);
  const child = spawn('sh', ['-c', `${program} ${flags} ${rest} ${JSON.stringify(command)}`], {
    stdio: 'ignore',
    detached: true,
  });
  children.push(child);
  return child;
}

async function came(): Promise<Caller> {
  const found = await until('somebody at the door', () => look, 30_000);
  return found();
}

sshTest.each(['', '-tt'])('a login by ssh from this machine is whoever began it (ssh %s)', async (flags) => {
  // This process has no terminal, so the one that began it is unattended.
  start(dial, flags);
  expect(await came()).toMatchObject({ kind: 'unattended' });
  look = undefined;
  const claude = start(dial, flags);
  hosts.set(claude.pid ?? 0, 'f00');
  expect(await came()).toMatchObject({ kind: 'claude', session: 'f00' });
});

sshTest('a login that nothing confirms decides nothing', async () => {
  start(
    `export SSH_CONNECTION='10.0.0.7 1234 10.0.0.1 22'; exec env -i SSH_CONNECTION="$SSH_CONNECTION" ${dial}`,
    '-tt',
  );
  expect(await came()).toMatchObject({ kind: expect.stringMatching(/unattended|claude/) });
  look = undefined;
  start(`exec env -i sh -c '${dial.replaceAll("'", `'"'"'`)} & wait'`, '-tt');
  expect(await came()).toMatchObject({ kind: expect.stringMatching(/unattended|claude/) });
});
