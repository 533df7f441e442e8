// Who is at the other end of real sockets, by real processes: below a host, left behind, relayed, gone, of another kind.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { loadKernel } from '../../../src/base/process/kernel.ts';
import { commandOf, descendantsOf } from '../../../src/base/process/process-table.ts';
import { runMark, runVariable } from '../../../src/base/process/run-mark.ts';
import { FactsReader } from '../../../src/bridge/callers/caller-facts.ts';
import { Callers } from '../../../src/bridge/callers/callers.ts';
import { type Caller, mayPost } from '../../../src/domain/caller/caller.ts';
import { until } from '../../support/until.ts';

/** A door of each kind, with what is found of who comes to it. */
class Doors {
  readonly dir = mkdtempSync(join(tmpdir(), 'callers-'));
  readonly sessions = join(this.dir, 'sessions');
  readonly hosts = new Map<number, string>();
  readonly path = join(this.dir, 'c.sock');
  readonly #callers: Callers;
  readonly #children: ChildProcess[] = [];
  /** Looks at who came last to the local one. */
  look: (() => Caller) | undefined;
  onPort: Caller | undefined;
  /** Connections to the port. */
  readonly open = new Set<Socket>();
  port = 0;

  private constructor() {
    mkdirSync(this.sessions);
    const facts = new FactsReader({ sessions: this.sessions, hosts: () => this.hosts });
    this.#callers = new Callers({ kernel: loadKernel(), facts });
  }

  static async open(): Promise<Doors> {
    const doors = new Doors();
    const local = createServer((socket) => {
      doors.look = doors.#callers.onLocal(socket);
      socket.on('error', () => {});
    });
    const port = createServer((socket) => {
      doors.open.add(socket);
      socket
        .on('error', () => {})
        .on('data', () => {
          doors.onPort = doors.#callers.onPort(socket);
          socket.write('seen\n');
        });
    });
    local.listen(doors.path);
    port.listen(0, '127.0.0.1');
    await Promise.all([once(local, 'listening'), once(port, 'listening')]);
    doors.port = (port.address() as { port: number }).port;
    onTestFinished(() => doors.#close([local, port]));
    return doors;
  }

  /** A shell whose children are Claude's: as a host has one. */
  host(script: string, env: Record<string, string> = {}): ChildProcess {
    const child = this.start('sh', ['-c', script], env);
    this.hosts.set(child.pid ?? 0, 'f00');
    return child;
  }

  start(file: string, args: string[], env: Record<string, string> = {}): ChildProcess {
    const child = spawn(file, args, {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    this.#children.push(child);
    return child;
  }

  /** Comes to the local door, and stays. */
  get dial(): string {
    return `"${process.execPath}" -e 'require("net").connect("${this.path}").on("error", () => {}); setTimeout(() => {}, 60000)'`;
  }

  /** Comes to the port, says something, and stays. */
  get dialPort(): string {
    return `"${process.execPath}" -e 'require("net").connect(${this.port}, "127.0.0.1").on("error", () => {}).write("x"); setTimeout(() => {}, 60000)'`;
  }

  lookOnPort(socket: Socket): Caller | undefined {
    return this.#callers.onPort(socket);
  }

  async came(): Promise<Caller> {
    const look = await until('somebody at the local door', () => this.look, 20_000);
    return look();
  }

  cameToPort(): Promise<Caller> {
    return until('somebody at the port', () => this.onPort, 20_000);
  }

  #close(servers: Server[]): void {
    for (const { pid } of this.#children) {
      try {
        process.kill(-(pid ?? 0), 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    for (const server of servers) server.close();
    rmSync(this.dir, { recursive: true });
  }
}

test('what runs below a host is Claude’s at both doors, as a child and in a terminal of its own', async () => {
  const doors = await Doors.open();
  doors.host(`${doors.dial} & ${doors.dialPort} & wait`);
  expect(await doors.came()).toMatchObject({ kind: 'claude', session: 'f00' });
  expect(await doors.cameToPort()).toMatchObject({ kind: 'claude', session: 'f00' });
  doors.look = undefined;
  writeFileSync(join(doors.dir, 'dial.sh'), doors.dial);
  doors.host(`script -qc 'sh ${doors.dir}/dial.sh' /dev/null`);
  const caller = await doors.came();
  expect(caller).toMatchObject({ kind: 'claude', from: expect.stringMatching(/^pts\/\d+: /) });
});

test('what was left behind is known by its mark, and what has none is somebody without a terminal', async () => {
  const doors = await Doors.open();
  const mark = runMark(join(doors.sessions, 'f00'), 'r1');
  doors.start('sh', ['-c', `env -i ${doors.dial} & wait`], { [runVariable]: mark });
  // The shell has the mark, and the program that it started no environment at all.
  expect(await doors.came()).toMatchObject({ kind: 'claude', why: expect.stringContaining('left behind') });
  doors.look = undefined;
  const elsewhere = runMark(join(tmpdir(), 'other-state', 'f00'), 'r1');
  doors.start('sh', ['-c', `${doors.dial} & wait`], { [runVariable]: elsewhere });
  expect(await doors.came()).toMatchObject({ kind: 'unattended', why: 'it has no terminal' });
});

test('a relay of Claude’s is Claude’s, although an honest program is behind it', async () => {
  const doors = await Doors.open();
  const relay = join(doors.dir, 'relay.sock');
  doors.host(
    `"${process.execPath}" -e 'const net = require("net"); net.createServer((near) => { const far = net.connect("${doors.path}"); near.pipe(far).pipe(near); near.on("error", () => {}); far.on("error", () => {}); }).listen("${relay}", () => console.log("listens"))' & wait`,
  );
  await until('the relay', () => existsSync(relay), 20_000);
  doors.start('sh', ['-c', doors.dial.replace(doors.path, relay)]);
  expect(await doors.came()).toMatchObject({ kind: 'claude' });
});

test('whoever has ended meanwhile is nobody, at the local door and at the port', async () => {
  const doors = await Doors.open();
  const child = doors.start('sh', ['-c', `exec ${doors.dial}`]);
  expect((await doors.came()).kind).toBe('unattended');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await doors.came()).toMatchObject({ kind: 'unknown' });
});

test('whoever connected and ended before anybody looked is nobody', async () => {
  const doors = await Doors.open();
  // Nothing is accepted while this process waits for the end of that one.
  const dial = `use IO::Socket::UNIX; IO::Socket::UNIX->new(Peer => "${doors.path}") or exit 1`;
  execFileSync('perl', ['-e', dial]);
  expect(await doors.came()).toMatchObject({ kind: 'unknown' });
});

test('a program that has handed its connection on and ended is nobody, whoever has it now', async () => {
  const doors = await Doors.open();
  // The inner program keeps the connection as its standard input, and the one that made it ends.
  const inner = `setTimeout(() => {}, 60000)`;
  doors.start('sh', [
    '-c',
    `"${process.execPath}" -e '
      const socket = require("net").connect("${doors.path}", () => {
        const { fd } = socket._handle;
        require("child_process").spawn(process.execPath, ["-e", "${inner}"], { stdio: [fd, "ignore", "ignore"], detached: true }).unref();
        setTimeout(() => process.exit(), 200);
      });'`,
  ]);
  await until('the first one to have ended', async () => (await doors.came()).kind === 'unknown', 20_000);
});

test('a program that becomes another one keeps its ancestry', async () => {
  const doors = await Doors.open();
  doors.host(
    `perl -MIO::Socket::UNIX -e 'our $s = IO::Socket::UNIX->new(Peer => "${doors.path}"); fcntl($s, 2, 0); exec "sleep", "60"' & wait`,
  );
  await doors.came();
  const [host = 0] = doors.hosts.keys();
  const isSleeping = (pid: number) => commandOf({ pid, name: '' }) === 'sleep';
  await until('the other program', () => descendantsOf(host).some(isSleeping), 20_000);
  expect(await doors.came()).toMatchObject({ kind: 'claude', session: 'f00' });
});

test('the holder of a connection is known again, and a hub outside of every host is let in', async () => {
  const doors = await Doors.open();
  const child = doors.start(process.execPath, [
    '-e',
    `const net = require("net"); let n = 0; const next = () => { const s = net.connect(${doors.port}, "127.0.0.1", () => s.write("x")); s.on("data", () => { s.destroy(); console.log(++n); if (n < 3) next(); }); }; next(); setTimeout(() => {}, 60000)`,
  ]);
  const lines = createInterface(child.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]();
  for (const count of ['1', '2', '3']) {
    expect((await lines.next()).value).toBe(count);
    expect(doors.onPort).toMatchObject({ kind: 'unattended' });
  }
});

test('a connection that no process can be found for is let in by nobody’s token', async () => {
  const doors = await Doors.open();
  const child = doors.start(process.execPath, [
    '-e',
    `require("net").connect(${doors.port}, "127.0.0.1", () => console.log("there")); setTimeout(() => {}, 60000)`,
  ]);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  const [socket] = await until('its connection', () => (doors.open.size > 0 ? [...doors.open] : undefined));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const caller = doors.lookOnPort(socket as Socket);
  expect(caller).toMatchObject({ kind: 'unknown', why: expect.stringContaining('no program') });
  expect([mayPost(caller as Caller, false), mayPost(caller as Caller, true)]).toEqual([false, true]);
});

test('a kernel that cannot be asked leaves everybody unknown at the local door', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'callers-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const facts = new FactsReader({ sessions: dir, hosts: () => new Map() });
  const callers = new Callers({ kernel: undefined, facts });
  expect(callers.onLocal({} as Socket)()).toMatchObject({ kind: 'unknown' });
});
