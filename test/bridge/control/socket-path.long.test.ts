// Who is on the other end of the control socket: both ends look at its folder before they use it.
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { UnsafePathError } from '../../../src/base/files/own-path.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { ControlHandlers } from '../../../src/bridge/control/control-call.ts';
import { ControlServer } from '../../../src/bridge/control/control-server.ts';
import { callBridge } from '../../../src/cli/client/control-client.ts';
import { operatorGuard } from '../../support/operator-guard.ts';

/** Nobody gets as far as a call. */
const handlers = {} as ControlHandlers;
const isRoot = process.geteuid?.() === 0;
let home: string;
let state: string;
/** As in a shared temporary folder. */
let shared: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'socket-'));
  state = join(home, 'state');
  mkdirSync(state, { mode: 0o700 });
  shared = join(home, 'shared');
  path = join(shared, 'b.sock');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function listening(): Promise<ControlServer> {
  const server = new ControlServer(handlers, silentLog, operatorGuard);
  await server.listen(path);
  onTestFinished(() => server.close());
  return server;
}

const refused = async () => {
  await expect(new ControlServer(handlers, silentLog, operatorGuard).listen(path)).rejects.toThrow(
    UnsafePathError,
  );
};

/** Somebody who takes every question for himself. @returns whether anybody came */
async function fakeBridge(): Promise<() => boolean> {
  let visits = 0;
  const server: Server = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  writeFileSync(join(state, 'bridge.json'), JSON.stringify({ pid: 1, url: '', control: path }));
  return () => visits > 0;
}

const ask = () => callBridge(state, 'permission.list', {});

test('the folder is made closed and the socket is born closed, whatever the umask', async () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  await listening();
  const mode = (at: string) => (statSync(at).mode & 0o777).toString(8);
  expect([mode(shared), mode(path), process.umask()]).toEqual(['700', '600', 0]);
});

test('a bridge does not listen in a folder that others can open, and says how to close it', async () => {
  for (const mode of [0o777, 0o1777, 0o770, 0o755]) {
    rmSync(shared, { recursive: true, force: true });
    mkdirSync(shared);
    chmodSync(shared, mode);
    await expect(new ControlServer(handlers, silentLog, operatorGuard).listen(path)).rejects.toMatchObject({
      message: expect.stringContaining('is open to others'),
      suggestion: expect.stringContaining(`chmod go= ${shared}`),
    });
    expect(existsSync(path)).toBe(false);
  }
});

test('a bridge does not listen in a folder that is a link', async () => {
  mkdirSync(join(home, 'elsewhere'), { mode: 0o700 });
  symlinkSync(join(home, 'elsewhere'), shared);
  await refused();
});

test('a socket that a killed bridge left is replaced; a link or a file in its place is neither followed nor deleted', async () => {
  mkdirSync(shared, { mode: 0o700 });
  const victim = join(home, 'victim');
  writeFileSync(victim, 'untouched');
  symlinkSync(victim, path);
  await refused();
  expect([lstatSync(path).isSymbolicLink(), readFileSync(victim, 'utf8')]).toEqual([true, 'untouched']);
  rmSync(path);
  writeFileSync(path, 'a file of the user');
  await refused();
  expect(readFileSync(path, 'utf8')).toBe('a file of the user');
  rmSync(path);
  await execa(
    process.execPath,
    [
      '-e',
      `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
    ],
    {
      reject: false,
    },
  );
  expect(lstatSync(path).isSocket()).toBe(true);
  await listening();
});

test('a command does not ask a bridge whose socket lies where others could have put it', async () => {
  mkdirSync(shared, { mode: 0o700 });
  const visited = await fakeBridge();
  for (const mode of [0o777, 0o1777, 0o770]) {
    chmodSync(shared, mode);
    await expect(ask()).rejects.toThrow(`${shared} is open to others`);
  }
  chmodSync(shared, 0o700);
  symlinkSync(shared, join(home, 'link'));
  const control = join(home, 'link', 'b.sock');
  writeFileSync(join(state, 'bridge.json'), JSON.stringify({ pid: 1, url: '', control }));
  await expect(ask()).rejects.toThrow('is a symbolic link');
  expect(visited()).toBe(false);
});

test('a command does not follow a link in the place of the socket', async () => {
  mkdirSync(shared, { mode: 0o700 });
  const visited = await fakeBridge();
  const control = join(shared, 'link.sock');
  symlinkSync(path, control);
  writeFileSync(join(state, 'bridge.json'), JSON.stringify({ pid: 1, url: '', control }));
  await expect(ask()).rejects.toThrow('is a symbolic link');
  expect(visited()).toBe(false);
});

// Only root can give things away, and become somebody else.
test.runIf(isRoot)('a folder or socket of another user is used by neither end', async () => {
  mkdirSync(shared, { mode: 0o700 });
  const visited = await fakeBridge();
  chownSync(path, 12345, 12345);
  await expect(ask()).rejects.toThrow('belongs to another user');
  await refused();
  chownSync(shared, 12345, 12345);
  await expect(ask()).rejects.toThrow('belongs to another user');
  await refused();
  expect(visited()).toBe(false);
});

test.runIf(isRoot)('another user cannot connect, not even when he can reach the socket', async () => {
  await listening();
  const connect = `const say = (words) => { console.log(words); process.exit(); };
    require('net').connect(process.argv[1], () => say('connected')).on('error', ({ code }) => say(code))`;
  const as = async (uid: number) =>
    (await execa(process.execPath, ['-e', connect, path], { uid, gid: uid, cwd: '/' })).stdout;
  chmodSync(home, 0o755);
  expect(await as(65_534)).toBe('EACCES');
  // The socket's own mode, should its folder ever be opened.
  chmodSync(shared, 0o755);
  expect([await as(65_534), await as(0)]).toEqual(['EACCES', 'connected']);
});
