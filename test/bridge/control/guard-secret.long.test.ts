// With an operator secret nothing is decided at the control socket without a proof, whoever calls.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/time/clock.ts';
import { Guard } from '../../../src/bridge/control/guard.ts';
import { ConnectionProofs } from '../../../src/bridge/operator-secret/connection-proofs.ts';
import { openOperatorSecret } from '../../../src/bridge/operator-secret/operator-secret.ts';
import { connectBridge } from '../../../src/cli/client/control-client.ts';
import type { Prover, RpcConnection, WantedProof } from '../../../src/cli/client/rpc-connection.ts';
import type { CallerKind } from '../../../src/domain/caller/caller.ts';
import type { ControlMethod } from '../../../src/domain/views/control.ts';
import { decisionText, proofNamespace } from '../../../src/domain/views/operator-proof.ts';
import { TouchKey } from '../../support/ssh-keys.ts';
import { deciding, given, methods } from './any-call.ts';
import { PlayedTerminal } from './played-terminal.ts';
import { SmallControl } from './small-control.ts';

const key = new TouchKey();
let control: SmallControl;
const open: RpcConnection[] = [];
let refused: { method: string; why: string }[];
let proven: { method: string; by: string }[];

beforeEach(async () => {
  control = await SmallControl.start();
  refused = [];
  proven = [];
});
afterEach(async () => {
  for (const each of open.splice(0)) each.close();
  await control[Symbol.asyncDispose]();
});

/** From now on everybody who connects is such a one, and decisions take a signature of the key. */
async function everybodyIs(kind: CallerKind, trusts = false): Promise<void> {
  control.guard = () =>
    new Guard({
      caller: () => ({ kind, why: 'the test says so', from: 'pts/9: sh' }),
      trusts: () => trusts,
      isProof: (secret) => secret === 'the token',
      refused: ({ method, caller: { why } }) => refused.push({ method, why }),
      secret: new ConnectionProofs(
        openOperatorSecret({ kind: 'ssh-key', keys: [key.line] }, control.dir, systemClock),
        systemClock,
      ),
      proven: ({ method, by }) => proven.push({ method, by }),
    });
  await control.hangUp();
  await control.listen();
}

async function connect(prover?: Prover): Promise<RpcConnection> {
  const connection = await connectBridge(control.dir);
  connection.prover = prover;
  open.push(connection);
  return connection;
}

const codeOf = (connection: RpcConnection, method: ControlMethod, params: object): Promise<string> =>
  connection.call(method, params as never).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

const touching: Prover = async ({ challenge: { nonce }, method, params }) => ({
  nonce,
  signature: key.sign(decisionText(method, params, nonce), proofNamespace),
});

/** Keys in a terminal that was taken with a proof take none. */
const proving = deciding.filter((method) => method !== 'terminal.input');

test.each([
  ['a person at a terminal', 'operator', false],
  ['a script where the configuration trusts it', 'unattended', true],
  ['who cannot be told, where the configuration trusts them', 'unknown', true],
  ['a script that nothing trusts', 'unattended', false],
] as const)('%s decides nothing without it', async (_, kind, trusts) => {
  await everybodyIs(kind, trusts);
  const connection = await connect();
  const codes = await Promise.all(
    methods.map(async (method) => [method, await codeOf(connection, method, given(method))] as const),
  );
  expect(codes.flatMap(([method, code]) => (code === 'proof_wanted' ? [method] : [])).toSorted()).toEqual(
    proving,
  );
  expect(proven).toEqual([]);
});

test('a token of scope operate decides nothing without it', async () => {
  await everybodyIs('unattended');
  const connection = await connect();
  await connection.call('caller.prove', { token: 'the token' });
  expect(await codeOf(connection, 'bridge.resume', {})).toBe('proof_wanted');
});

test('what Claude has started is asked for none, and decides nothing with one', async () => {
  await everybodyIs('claude', true);
  const asked: WantedProof[] = [];
  const connection = await connect((wanted) => {
    asked.push(wanted);
    return touching(wanted);
  });
  expect(await codeOf(connection, 'bridge.resume', {})).toBe('not_allowed');
  expect(asked).toEqual([]);
});

test.each(['operator', 'unattended', 'unknown'] as const)(
  '%s decides with it, and a row says with which key',
  async (kind) => {
    await everybodyIs(kind);
    const connection = await connect(touching);
    expect(await connection.call('bridge.resume', {})).toMatchObject({ resumed: false });
    expect(proven).toEqual([
      { method: 'bridge.resume', by: expect.stringMatching(/^sk-ssh-ed25519@openssh.com SHA256:/) },
    ]);
    expect(refused).toEqual([]);
  },
);

test('no, panic and stopping stay free', async () => {
  await everybodyIs('operator');
  const connection = await connect();
  expect(await codeOf(connection, 'permission.decide', { code: 'abcde', verdict: 'deny' })).toBe(
    'no_such_code',
  );
  expect(await codeOf(connection, 'bridge.panic', {})).toBe('done');
  expect(await codeOf(connection, 'bridge.stop', {})).toBe('done');
});

test('a proof that was made for other params is refused, with a row, and asked for no second time', async () => {
  await everybodyIs('operator');
  let times = 0;
  const connection = await connect(async ({ challenge: { nonce }, method }) => {
    times += 1;
    return { nonce, signature: key.sign(decisionText(method, { door: 'tui' }, nonce), proofNamespace) };
  });
  expect(await codeOf(connection, 'bridge.resume', {})).toBe('not_allowed');
  expect(times).toBe(1);
  expect(refused).toEqual([{ method: 'bridge.resume', why: 'The signature is for something else.' }]);
});

test('one proof for another connection is none', async () => {
  await everybodyIs('operator');
  const nonces: string[] = [];
  const other = await connect(async ({ challenge }) => {
    nonces.push(challenge.nonce);
    throw new Error('taken elsewhere');
  });
  await expect(other.call('bridge.resume', {})).rejects.toThrow('taken elsewhere');
  const mine = await connect((wanted) =>
    touching({ ...wanted, challenge: { ...wanted.challenge, nonce: nonces[0] ?? '' } }),
  );
  expect(await codeOf(mine, 'bridge.resume', {})).toBe('not_allowed');
});

test('whoever drives proves it once, types without, and gives it back without', async () => {
  const terminal = new PlayedTerminal();
  control.openView = terminal.join;
  await everybodyIs('operator');
  control.say('s', 'hello');
  const asked: string[] = [];
  const connection = await connect((wanted) => {
    asked.push(wanted.method);
    return touching(wanted);
  });
  const seen = Promise.withResolvers<void>();
  const { id, result } = connection.start(
    'terminal.attach',
    { session: 's', cols: 80, rows: 24, drive: true },
    { onNotification: (name) => name === 'terminal.snapshot' && seen.resolve() },
  );
  result.catch(() => undefined);
  await seen.promise;
  for (const data of ['y', 'e', 's']) await connection.call('terminal.input', { call: id, data });
  expect(terminal.typed.join('')).toBe('yes');
  expect(await connection.call('terminal.drive', { call: id, drive: false })).toEqual({ driving: false });
  expect(await codeOf(connection, 'terminal.input', { call: id, data: 'n' })).toBe('not_driving');
  expect(asked).toEqual(['terminal.attach']);
  await connection.call('terminal.drive', { call: id, drive: true });
  expect(asked).toEqual(['terminal.attach', 'terminal.drive']);
});

test('a person may take longer than the bridge may', async () => {
  await everybodyIs('operator');
  const wait = Promise.withResolvers<void>();
  const connection = await connect(async (wanted) => {
    await wait.promise;
    return touching(wanted);
  });
  const calling = connection.call('bridge.resume', {}, { timeoutMs: 200 });
  setTimeout(() => wait.resolve(), 400);
  expect(await calling).toMatchObject({ resumed: false });
});
