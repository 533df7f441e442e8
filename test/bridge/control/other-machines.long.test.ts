// A session that this machine does not know is looked for on the others, also on those that were silent for a while.
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/time/clock.ts';
import { OperatorError } from '../../../src/bridge/app/operator/operator-error.ts';
import { Guard } from '../../../src/bridge/control/guard.ts';
import { ConnectionProofs } from '../../../src/bridge/operator-secret/connection-proofs.ts';
import { openOperatorSecret } from '../../../src/bridge/operator-secret/operator-secret.ts';
import type { CliError } from '../../../src/cli/cli-error.ts';
import { callBridge, connectBridge } from '../../../src/cli/client/control-client.ts';
import { nodeOf } from '../../../src/cli/client/other-nodes.ts';
import type { NodeRow } from '../../../src/domain/views/cluster.ts';
import { decisionText, proofNamespace } from '../../../src/domain/views/operator-proof.ts';
import { TouchKey } from '../../support/ssh-keys.ts';
import { SmallControl } from './small-control.ts';

const none = () => Promise.reject(new Error('nobody asks for it'));

/** `mac` sees `box` in that state; whoever calls it finds it there, or not. */
async function machines(
  state: NodeRow['state'],
  answers: boolean,
  reason: string | null = null,
  guardOfBox?: Guard,
) {
  const [mac, box] = [await SmallControl.start(), await SmallControl.start()];
  onTestFinished(async () => {
    for (const each of [mac, box]) await each[Symbol.asyncDispose]();
  });
  const row = { version: '1', started_at: '', sessions: 0, live: 0, free_mb: 1 };
  const view = {
    name: 'c',
    node: 'mac',
    state: 'connected',
    server: '',
    reason,
    takeover: null,
  } as const;
  await mac.hangUp();
  mac.cluster = {
    view: () => ({ ...view, nodes: [{ node: 'box', state, ...row }] }),
    dial: async (node) => {
      if (answers) return connect(box.path);
      throw new OperatorError('node_away', `Node "${node}" does not answer: it took no connection.`, '');
    },
    servers: none,
    move: none,
    drain: none,
    forget: none,
  };
  if (guardOfBox) {
    box.guard = () => guardOfBox;
    await box.hangUp();
    await box.open();
  }
  await mac.open();
  const file = { pid: 1, url: '', control: mac.path, started_at: mac.startedAt, node: 'mac' };
  writeFileSync(join(mac.dir, 'bridge.json'), JSON.stringify(file));
  box.say('home', 'hello');
  return mac.dir;
}

/** What `session.inspect` fails with. */
const failure = (dir: string, session: string): Promise<CliError> =>
  callBridge(dir, 'session.inspect', { session }).then(
    () => expect.unreachable(),
    (error: CliError) => error,
  );

test.each(['alive', 'away'] as const)('one that lives where it is %s is found', async (state) => {
  const dir = await machines(state, true);
  expect(await callBridge(dir, 'session.inspect', { session: 'home' })).toMatchObject({ key: 'home' });
  expect(await nodeOf(dir, 'home')).toBe('box');
  const { code, message } = await failure(dir, 'nobody');
  expect([code, message]).toEqual([
    'no_such_session',
    'There is no session "nobody". Nor is it known on box.',
  ]);
});

test.each(['alive', 'away'] as const)(
  'nobody says that there is none while one that is %s does not answer',
  async (state) => {
    const dir = await machines(state, false);
    const { code, exit, message, suggestion } = await failure(dir, 'home');
    expect([code, exit]).toEqual(['node_away', 'not_running']);
    expect(message).toBe(
      'On mac: There is no session "home". Node "box" does not answer: it took no connection.',
    );
    expect(suggestion).toContain('Nothing was done.');
    expect(await nodeOf(dir, 'home')).toBe(undefined);
  },
);

test('nor while one is stopped, in order, and has conversations all the same', async () => {
  const dir = await machines('stopped', false);
  const { code, message } = await failure(dir, 'home');
  expect([code, message]).toEqual([
    'node_away',
    'On mac: There is no session "home". Node "box" is stopped.',
  ]);
});

test('nor while this machine does not know yet which others there are', async () => {
  const dir = await machines('alive', true, 'The cluster is being joined.');
  expect(await callBridge(dir, 'session.inspect', { session: 'home' })).toMatchObject({ key: 'home' });
  const { code, message } = await failure(dir, 'nobody');
  expect([code, message]).toEqual([
    'node_away',
    'On mac: There is no session "nobody". Nor is it known on box. There may be nodes that are not known here: The cluster is being joined.',
  ]);
});

test('a node asks for its own secret, also who comes over another one', async () => {
  const key = new TouchKey();
  const secret = openOperatorSecret({ kind: 'ssh-key', keys: [key.line] }, '/', systemClock);
  const proven: string[] = [];
  const guard = new Guard({
    caller: () => ({ kind: 'operator', why: 'mac has found so', from: 'node mac' }),
    trusts: () => false,
    isProof: () => false,
    refused: () => {},
    secret: new ConnectionProofs(secret, systemClock),
    proven: ({ method }) => proven.push(method),
  });
  const dir = await machines('alive', true, null, guard);
  expect(await callBridge(dir, 'bridge.resume', {})).toMatchObject({ resumed: false });
  const far = await connectBridge(dir, 'box');
  onTestFinished(() => far.close());
  far.prover = undefined;
  await expect(far.call('bridge.resume', {})).rejects.toMatchObject({ code: 'proof_wanted' });
  far.prover = async ({ method, params, challenge: { nonce } }) => ({
    nonce,
    signature: key.sign(decisionText(method, params, nonce), proofNamespace),
  });
  expect(await far.call('bridge.resume', {})).toMatchObject({ resumed: false });
  expect(proven).toEqual(['bridge.resume']);
});
