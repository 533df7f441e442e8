// The host's program as a bridge starts it, with small programs in the place of `systemd-run`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newToken } from '../../../src/base/ids.ts';
import { jsonLog } from '../../../src/base/log.ts';
import { isAlive } from '../../../src/base/process/process-identity.ts';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import { Scopes } from '../../../src/bridge/terminal/scopes.ts';
import { startHost } from '../../../src/bridge/terminal/start-host.ts';
import type { HostFile } from '../../../src/protocol/wire/host.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { oneFile } from '../../support/one-file.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';

const secret = newToken();
const program = await oneFile(join(import.meta.dirname, '../../../src/host/main.ts'));
/** Its own shell: a program's PATH here has nothing but what the test puts there. */
const good = `#!/bin/sh
printf '%s\\n' "$@" >"\${0%/*}/args"
/usr/bin/env >"\${0%/*}/env"
echo $$ >"\${0%/*}/pid"
while [ "$1" != -- ]; do shift; done
shift 3
exec /usr/bin/env -i "$@"
`;

const hanging = `#!/bin/sh
echo $$ >"\${0%/*}/pid"
exec /usr/bin/sleep 60
`;

/** A system on which this user's manager lingers, as the environment and the files say. */
class Machine {
  readonly root = tempDir();
  readonly linger: string;
  readonly bin = join(this.root, 'bin');
  readonly logged: string[] = [];
  readonly scopes: Scopes;

  constructor(systemdRun?: string) {
    this.#write('run/user/systemd/private', '');
    this.linger = this.#write(`var/lib/systemd/linger/${userInfo().username}`, '');
    mkdirSync(this.bin);
    if (systemdRun !== undefined) chmodSync(this.#write('bin/systemd-run', systemdRun), 0o755);
    const env = { PATH: this.bin, XDG_RUNTIME_DIR: join(this.root, 'run/user'), SECRET: 'x' };
    const log = jsonLog({ write: (line) => this.logged.push(line), wall: () => 0 });
    this.scopes = new Scopes({ env, log, root: this.root });
  }

  /** What the stand-in wrote down. */
  lines(name: string): string[] {
    return readFileSync(join(this.bin, name), 'utf8').trimEnd().split('\n');
  }

  /** Starts a host, in a folder of its own. */
  async start(clock: Clock = systemClock): Promise<HostFile> {
    const dir = tempDir();
    const about = { program, nodePath: process.execPath, stateDir: tempDir(), secret };
    const options = { clock, scopes: this.scopes, ...about };
    const hosted = await startHost(options, dir, 'r1');
    onTestFinished(() => hosted.quit());
    return JSON.parse(readFileSync(join(dir, 'host.json'), 'utf8')) as HostFile;
  }

  #write(name: string, content: string): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }
}

const environmentOf = ({ pid }: HostFile): string => readFileSync(`/proc/${pid}/environ`, 'utf8');

test('in a scope a host is the process that was started, without an environment', async () => {
  const machine = new Machine(good);
  const host = await machine.start();
  expect([machine.lines('pid'), environmentOf(host)]).toEqual([[String(host.pid)], '']);
  expect(machine.logged).toEqual([]);
  const args = machine.lines('args');
  const own = args.indexOf('--');
  expect(args.slice(0, own)).toEqual([
    '--user',
    '--scope',
    '--collect',
    '--quiet',
    '--description=terminal and hooks of a Claude Code',
    '--property=TimeoutStopSec=5s',
    '--unit=synthesis-host-r1',
  ]);
  expect(args.slice(own + 1, own + 5)).toEqual(['env', '-i', process.execPath, program]);
  const told = machine.lines('env').filter((line) => !/^(PWD|SHLVL|_|OLDPWD)=/.test(line));
  expect(told.sort()).toEqual([`PATH=${machine.bin}`, `XDG_RUNTIME_DIR=${machine.root}/run/user`]);
});

test.each([
  ['is not there', undefined],
  ['fails', '#!/bin/sh\nexit 1\n'],
  ['says something else', '#!/bin/sh\necho Running.\nexec /usr/bin/sleep 60\n'],
  ['starts what fails', '#!/bin/sh\necho \'{"failed":"no such folder"}\'\n'],
])('a `systemd-run` that %s costs no session', async (_, systemdRun) => {
  const machine = new Machine(systemdRun);
  expect(environmentOf(await machine.start())).toBe('');
  expect(machine.logged).toEqual([expect.stringContaining('systemd-run --user --scope true')]);
});

test('where a scope was not to be had, none is tried again, and that is said once', () => {
  const { scopes, logged } = new Machine();
  for (const each of ['a', 'b']) expect(scopes.around(each, ['node'])).toBeDefined();
  for (const each of ['a', 'b']) scopes.failed(new Error(each));
  expect(scopes.around('c', ['node'])).toBeUndefined();
  expect(logged).toHaveLength(1);
});

test('a manager that a logout ends, and not the bridge, has no scope for a host', () => {
  const { scopes, linger } = new Machine();
  expect(scopes.around('a', ['node'])).toBeDefined();
  rmSync(linger);
  expect(scopes.around('a', ['node'])).toBeUndefined();
});

test('one that hangs is ended before a host is started without it', async () => {
  const machine = new Machine(hanging);
  const clock = new ManualClock();
  const started = machine.start(clock);
  const pid = await until('its start', () => existsSync(join(machine.bin, 'pid')) && machine.lines('pid')[0]);
  clock.advance(10_000);
  expect(environmentOf(await started)).toBe('');
  expect(isAlive({ pid: Number(pid), started: '' })).toBe(false);
  expect(machine.logged).toHaveLength(1);
});

/** Starts a host as its bridge, and minds no signal but one. */
const starter = `
const [startHost, scopes, root, dir, program] = process.argv.slice(1);
const { Scopes } = await import(scopes);
const log = { warn: (words) => console.log(words) };
const env = { PATH: root + '/bin', XDG_RUNTIME_DIR: root + '/run/user' };
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => console.log(signal));
const clock = { after: (ms, fn) => { const timer = setTimeout(fn, ms); return () => clearTimeout(timer); } };
const { startHost: start } = await import(startHost);
const about = { program, nodePath: process.execPath, stateDir: root + '/state', secret: 'a-secret' };
await start({ clock, scopes: new Scopes({ env, log, root }), ...about }, dir, 'r1');
console.log('ready');
setInterval(() => {}, 1_000);
`;

test.each([
  ['in a scope', good],
  ['without one', undefined],
])('what is sent to the process group of a bridge does not reach its hosts, %s', async (_, systemdRun) => {
  const { root } = new Machine(systemdRun);
  const dir = tempDir();
  const [start, scopes] = ['start-host', 'scopes'].map(
    (name) => new URL(`../../../src/bridge/terminal/${name}.ts`, import.meta.url).href,
  );
  const args = ['--input-type=module', '-e', starter, start ?? '', scopes ?? '', root, dir, program];
  const bridge = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(bridge, 'exit');
  let said = '';
  bridge.stdout.on('data', (part) => {
    said += part;
  });
  await until('a host', () => said.includes('ready'), 20_000);
  const host = JSON.parse(readFileSync(join(dir, 'host.json'), 'utf8')) as HostFile;
  onTestFinished(() => void process.kill(host.pid, 'SIGKILL'));
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.kill(-(bridge.pid ?? 0), signal);
    await until(signal, () => said.includes(signal));
  }
  process.kill(-(bridge.pid ?? 0), 'SIGKILL');
  await ended;
  expect(isAlive(host)).toBe(true);
  // Of a session of its own no terminal is the bridge's.
  expect(sessionOf(host.pid)).toBe(host.pid);
});

/** Field 6 of /proc/PID/stat. */
const sessionOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[3]);
