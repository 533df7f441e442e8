// The spare host of a bridge: used once it waits, and in nobody's way whatever becomes of it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newToken } from '../../../src/base/ids.ts';
import { jsonLog } from '../../../src/base/log.ts';
import { isRunning } from '../../../src/base/process/process-identity.ts';
import { type Clock, systemClock } from '../../../src/base/time/clock.ts';
import { HostStarter } from '../../../src/bridge/terminal/host-starter.ts';
import { OwnedHosts } from '../../../src/bridge/terminal/owned-hosts.ts';
import { Scopes } from '../../../src/bridge/terminal/scopes.ts';
import { SpareHost, type SpareHostOptions } from '../../../src/bridge/terminal/spare-host.ts';
import { startHost } from '../../../src/bridge/terminal/start-host.ts';
import type { HostFile } from '../../../src/protocol/wire/host.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { oneFile } from '../../support/one-file.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';

const program = await oneFile(join(import.meta.dirname, '../../../src/host/main.ts'));

/** In the place of `systemd-run`. */
const scoped = `#!/bin/sh
printf '%s\\n' "$@" >"\${0%/*}/args.$$"
while [ "$1" != -- ]; do shift; done
shift 3
exec /usr/bin/env -i "$@"
`;

class Machine {
  readonly root = tempDir();
  readonly linger: string;
  readonly bin = join(this.root, 'bin');
  readonly logged: string[] = [];
  readonly options: SpareHostOptions;
  readonly starter: HostStarter;

  constructor({ clock = systemClock, isScoped = false }: { clock?: Clock; isScoped?: boolean } = {}) {
    this.linger = this.#write(`var/lib/systemd/linger/${userInfo().username}`, '');
    if (isScoped) {
      this.#write('run/user/systemd/private', '');
      this.#write('bin/systemd-run', scoped, 0o755);
    }
    const env = { PATH: this.bin, XDG_RUNTIME_DIR: join(this.root, 'run/user') };
    const log = jsonLog({ write: (line) => this.logged.push(line), level: 'debug', wall: () => 0 });
    const scopes = new Scopes({ env, log, root: this.root });
    const about = { program, nodePath: process.execPath, stateDir: tempDir(), secret: newToken() };
    this.options = { clock, scopes, log, ...about };
    this.starter = new HostStarter({ ...this.options, hosts: new OwnedHosts() }, true);
    onTestFinished(() => this.spare.close());
  }

  get spare() {
    return this.starter.spare ?? expect.fail('there is to be a spare one');
  }

  /** Pids of those that have said that they wait. */
  get waited(): number[] {
    const lines = this.logged.map((line) => JSON.parse(line) as { message: string; pid: number });
    return lines.filter(({ message }) => message === 'a spare host waits').map(({ pid }) => pid);
  }

  /** Has one started. @returns its pid, once it waits */
  waits(): Promise<number> {
    const { length } = this.waited;
    this.spare.want(0);
    return until('a spare host', () => this.waited[length]);
  }

  /** Starts the host of a session. */
  async start(): Promise<HostFile> {
    const dir = tempDir();
    const hosted = await this.starter.start(dir, 'r1');
    onTestFinished(() => hosted.quit());
    return JSON.parse(readFileSync(join(dir, 'host.json'), 'utf8')) as HostFile;
  }

  #write(name: string, content: string, mode = 0o644): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
    return path;
  }
}

/** A program that says that it waits, and then does this. */
function waiting(then: string): string {
  const path = join(tempDir(), 'host.mjs');
  writeFileSync(path, `console.log('{"waiting":true}'); ${then}\n`);
  return path;
}

const gone = (pid: number) => until('its end', () => !isRunning(pid));

test('the one that waits is the next host, and another one is started behind it, not in its way', async () => {
  const clock = new ManualClock();
  const machine = new Machine({ clock });
  await machine.start();
  for (const nth of [0, 1]) {
    clock.advance(4_999);
    expect(machine.waited).toHaveLength(nth);
    clock.advance(1);
    const pid = await until('a spare host', () => machine.waited[nth]);
    expect((await machine.start()).pid).toBe(pid);
  }
  clock.advance(4_000);
  await machine.start();
  clock.advance(4_999);
  expect(machine.logged).toHaveLength(2);
});

test('before it waits a host is started without it, and it is there for the next one', async () => {
  const machine = new Machine();
  machine.spare.want(0);
  const first = await machine.start();
  const pid = await machine.waits();
  expect(first.pid).not.toBe(pid);
  expect((await machine.start()).pid).toBe(pid);
});

test.each([
  ['hangs', 'setInterval(() => {}, 1e6);'],
  ['fails', `process.stdin.on('end', () => console.log('{"failed":"x"}')).resume();`],
  ['says something else', `process.stdin.on('end', () => console.log('x')).resume();`],
  ['ends', `process.stdin.on('end', () => process.exit(0)).resume();`],
  [
    'says that it is ready, and cannot be reached',
    `process.stdin.on('end', () => console.log('{}')).resume(); setInterval(() => {}, 1e6);`,
  ],
])('one that waits and then %s costs no session, and is gone', async (_, then) => {
  const machine = new Machine();
  const other = new SpareHost({ ...machine.options, program: waiting(then) });
  onTestFinished(() => other.close());
  other.want(0);
  const pid = await until('a spare host', () => machine.waited[0]);
  const dir = tempDir();
  const hosted = await startHost({ ...machine.options, spare: other }, dir, 'r1');
  onTestFinished(() => hosted.quit());
  await gone(pid);
  expect(machine.logged.at(-1)).toContain('the spare host is of no use');
});

test('one that was killed while it waited is not missed, and is not started again before a session was', async () => {
  const clock = new ManualClock();
  const machine = new Machine({ clock });
  machine.spare.want(0);
  clock.advance(0);
  const pid = await until('a spare host', () => machine.waited[0]);
  process.kill(pid, 'SIGKILL');
  await gone(pid);
  clock.advance(60_000);
  expect((await machine.start()).pid).not.toBe(pid);
  expect(machine.waited).toEqual([pid]);
  clock.advance(5_000);
  await until('the next one', () => machine.waited.length === 2);
});

test('it ends when it is told to, and none is started any more once it is closed', async () => {
  const machine = new Machine();
  const first = await machine.waits();
  await machine.spare.end();
  expect(isRunning(first)).toBe(false);
  const second = await machine.waits();
  await machine.spare.close();
  expect(isRunning(second)).toBe(false);
  const clock = new ManualClock();
  const closed = new Machine({ clock });
  await closed.spare.close();
  closed.spare.want(0);
  await closed.start();
  clock.advance(60_000);
  expect(closed.waited).toEqual([]);
});

test('in a scope it has a name of its own', async () => {
  const machine = new Machine({ isScoped: true });
  const pid = await machine.waits();
  const args = readFileSync(join(machine.bin, `args.${pid}`), 'utf8').split('\n');
  expect(args).toContainEqual(expect.stringMatching(/^--unit=synthesis-host-s[a-z0-9]{14}$/));
  expect((await machine.start()).pid).toBe(pid);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
});

test('one that is not where a host belongs by now is ended', async () => {
  const machine = new Machine({ isScoped: true });
  const pid = await machine.waits();
  rmSync(machine.linger);
  expect((await machine.start()).pid).not.toBe(pid);
  await gone(pid);
});

test('one that is no program, and one that never says that it waits, are no more than none', async () => {
  const clock = new ManualClock();
  const machine = new Machine({ clock });
  const hangs = join(tempDir(), 'host.mjs');
  writeFileSync(hangs, 'setInterval(() => {}, 1e6);\n');
  for (const wrong of [{ nodePath: '/nowhere/node' }, { program: hangs }]) {
    const spare = new SpareHost({ ...machine.options, ...wrong });
    spare.want(0);
    clock.advance(0);
    expect(await spare.take({ dir: '/d', run: 'r', socket: '/s', secret: 's' })).toBeUndefined();
    clock.advance(10_000);
    await until('its end', () => machine.logged.length > 0);
    expect(machine.logged.splice(0)).toEqual([expect.stringContaining('no spare host')]);
    await spare.close();
  }
});
