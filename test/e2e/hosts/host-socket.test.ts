// The socket of a host is no second way in: who does not know the secret of the state folder gets nothing and changes nothing.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { newNonce } from '../../../src/base/net/mutual-proof.ts';
import { isAlive } from '../../../src/base/process/process-identity.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { HostLink } from '../../../src/bridge/terminal/host-link.ts';
import type { HostFile, OwnerFrame } from '../../../src/protocol/wire/host.ts';
import { encodeHostFrame } from '../../../src/protocol/wire/host-codec.ts';
import { pause } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { House } from '../support/house.ts';

const src = resolve(import.meta.dirname, '../../../src');

function hosts({ state }: House): HostFile[] {
  const sessions = join(state, 'sessions');
  const files = readdirSync(sessions).map((name) => join(sessions, name, 'host.json'));
  return files
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as HostFile);
}

const onlyHost = (house: House) => hosts(house)[0] as HostFile;
const secretOf = ({ state }: House) => readFileSync(join(state, 'secrets/hosts'), 'utf8').trim();

const frame = (of: object, bytes = '') => encodeHostFrame(of as OwnerFrame, Buffer.from(bytes));
const allow = JSON.stringify({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
});
const takes = (hello: object) =>
  Buffer.concat([
    frame(hello),
    frame({ type: 'attach' }),
    ...[1, 2, 3, 4].map((hook) => frame({ type: 'answer', hook }, allow)),
    frame({ type: 'input' }, 'a word of somebody else\r'),
    frame({ type: 'quit' }),
  ]);

/** What was seen to take a host of the release before; and the same as one says it today. */
const attempts = [
  takes({ type: 'hello', versions: [1] }),
  takes({ type: 'hello', versions: [1, 2] }),
  takes({ type: 'hello', versions: [2], nonce: newNonce() }),
  Buffer.concat([
    frame({ type: 'hello', versions: [2], nonce: newNonce() }),
    takes({ type: 'proof', proof: newNonce() }),
  ]),
];

/** @returns what it got */
function attempt(path: string, words: Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket: Socket = connect(path);
  let got = '';
  socket.on('data', (chunk) => {
    got += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('close', () => resolve(got));
  socket.write(words);
  return promise;
}

async function attack(house: House): Promise<void> {
  const { socket, run } = onlyHost(house);
  for (const words of attempts) {
    const got = await attempt(socket, words);
    expect(got).not.toMatch(/"(?:hello|run|port|token|program|hook|output)"/);
    expect(got).not.toContain(run);
  }
}

/** A host closes its socket, which is what `down` waits for, a moment before its process ends. */
const over = (all: HostFile[]) => until('the end of the hosts', () => !all.some(isAlive), 2_000);

const unproven = (house: House) =>
  house
    .rows('agent.ready')
    .flatMap(({ health }) => health as { code: string; words: string }[])
    .filter(({ code }) => code === 'host_unproven');

test('with a bridge: a held question stays held, no word is typed, the operator hears of it, and `down` ends all', async () => {
  await using house = await House.open();
  house.bridge.says('s', `[[bash:echo ran >> ${house.ran}]]`);
  const { code } = await house.asked();
  await attack(house);
  expect(existsSync(house.ran)).toBe(false);
  const told = await until('a row about it', () => unproven(house).at(-1));
  expect(told.words).toMatch(
    /^\d+ connections? to the host of .*s did not prove that (?:it comes|they come) from this bridge/,
  );
  const ps = await house.command('ps', '--check');
  expect([ps.code, ps.stdout]).toEqual([7, expect.stringContaining('host_unproven')]);
  const doctor = await house.command('doctor');
  expect(doctor.stdout + doctor.stderr).toMatch(
    /warn\s+host_unproven[\s\S]*did not prove that[\s\S]*Look at what runs as your user\./,
  );
  await house.command('approve', code);
  await until('the end of the turn', () => house.rows('turn.settled').length > 0, 20_000);
  expect(readFileSync(house.ran, 'utf8')).toBe('ran\n');
  expect(house.rows('permission.settled')).toMatchObject([{ code, outcome: 'applied' }]);
  expect(house.rows('turn.adopted')).toEqual([]);
  const before = hosts(house);
  expect((await house.command('down')).code).toBe(0);
  await over(before);
});

test('without one: the next bridge needs no step, goes on where Claude was, and hears of it', async () => {
  await using house = await House.open();
  house.bridge.says('s', `[[bash:echo ran >> ${house.ran}]]`);
  const { code } = await house.asked();
  await house.bridge.kill();
  await attack(house);
  expect(existsSync(house.ran)).toBe(false);
  expect(isAlive(onlyHost(house))).toBe(true);
  await house.begin();
  await house.next('agent.adopted');
  await until('a row about it', () => unproven(house).at(-1));
  await house.command('approve', code);
  expect(await house.settled(1)).toMatchObject([{ outcome: 'completed' }]);
  expect(readFileSync(house.ran, 'utf8')).toBe('ran\n');
  expect(house.rows('turn.adopted')).toEqual([]);
});

test('who knows the secret waits for a bridge that lives, and has the host of one that was stopped after 3 s', async () => {
  await using house = await House.open();
  await house.bridge.ask('s', 'hello');
  const host = onlyHost(house);
  const address = { ...host, secret: secretOf(house) };
  const wait = HostLink.to(address, systemClock, () => false);
  const refused = expect(wait).rejects.toThrow();
  expect(await house.bridge.ask('s', 'still there?')).toContain('I remember 1 earlier');
  await refused;
  expect(await house.bridge.ask('s', 'and now?')).toContain('I remember 2 earlier');
  const { pid } = house.bridge.child;
  await pause(pid ?? 0);
  const before = performance.now();
  const link = await HostLink.to(address, systemClock, () => false);
  expect(performance.now() - before).toBeLessThan(10_000);
  link.close();
  await house.bridge.kill();
  expect((await house.command('down')).code).toBe(0);
  await over([host]);
}, 60_000);

/** Becomes the owner of a host by all that a bridge knows, and writes down what came of it. */
const owner = (house: House, into: string) => `
const { HostLink } = await import(${JSON.stringify(join(src, 'bridge/terminal/host-link.ts'))});
const { systemClock } = await import(${JSON.stringify(join(src, 'base/time/clock.ts'))});
const { readFileSync, writeFileSync } = await import('node:fs');
const secret = readFileSync(${JSON.stringify(join(house.state, 'secrets/hosts'))}, 'utf8').trim();
const address = { ...${JSON.stringify(onlyHost(house))}, secret };
const came = await HostLink.to(address, systemClock, () => false).then((link) => { link.close(); return 'owner'; }, String);
writeFileSync(${JSON.stringify(into)}, came);`;

test('what runs below a host is no owner of it', async () => {
  await using house = await House.open('terminal', { permissionMode: 'bypassPermissions' });
  await house.bridge.ask('s', 'hello');
  const [script, below, outside] = ['own.mjs', 'below', 'outside'].map((name) => join(house.cwd, name));
  writeFileSync(script ?? '', owner(house, below ?? ''));
  await house.bridge.ask(
    's',
    `[[bash:(until [ -e go ]; do sleep 0.1; done; "${process.execPath}" own.mjs) >/dev/null 2>&1 &]]`,
  );
  // Nobody else has it, and what it reads is the secret.
  await house.bridge.kill();
  writeFileSync(join(house.cwd, 'go'), '');
  const came = await until(
    'what came of it',
    () => existsSync(below ?? '') && readFileSync(below ?? '', 'utf8'),
    20_000,
  );
  // As it was closed before or after it could say hello.
  expect(came).toMatch(/hung up|ECONNRESET|EPIPE/);
  writeFileSync(script ?? '', owner(house, outside ?? ''));
  await execa(process.execPath, [script ?? '']);
  expect(readFileSync(outside ?? '', 'utf8')).toBe('owner');
  await house.begin();
});

test('its socket lies apart from the session’s folder, and its secret in one file', async () => {
  await using house = await House.open();
  await house.bridge.ask('s', 'hello');
  const { socket, pid } = onlyHost(house);
  const secret = secretOf(house);
  expect(socket.startsWith(join(house.state, 'run/'))).toBe(true);
  expect(statSync(join(house.state, 'run')).mode & 0o777).toBe(0o700);
  const sees = [pid, ...house.started()].flatMap((each) =>
    ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${each}/${name}`, 'latin1')),
  );
  expect(sees.filter((each) => each.includes(secret) || each.includes(socket))).toEqual([]);
  const holding = readdirSync(house.state, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(house.state, name)).isFile())
    .filter((name) => readFileSync(join(house.state, name), 'latin1').includes(secret));
  expect(holding).toEqual(['secrets/hosts']);
});

test('where the secret is gone its Claude Codes are ended and resumed: nobody can say whose they are', async () => {
  await using house = await House.open();
  await house.bridge.ask('s', 'hello');
  const host = onlyHost(house);
  const was = secretOf(house);
  await house.bridge.kill();
  rmSync(join(house.state, 'secrets/hosts'));
  await house.begin();
  await until('the end of its host', () => !isAlive(host));
  expect(secretOf(house)).not.toBe(was);
  expect(await house.bridge.ask('s', 'again')).toContain('I remember 1 earlier');
});
