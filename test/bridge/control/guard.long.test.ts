// What each caller may do at the control socket: by the table of rights, before anything of a call is looked at.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Guard } from '../../../src/bridge/control/guard.ts';
import { callBridge, connectBridge } from '../../../src/cli/client/control-client.ts';
import type { Caller, CallerKind } from '../../../src/domain/caller/caller.ts';
import type { ControlMethod } from '../../../src/domain/views/control.ts';
import { deciding, given, methods } from './any-call.ts';
import { SmallControl } from './small-control.ts';

let control: SmallControl;
const refused: { method: string; isLook: boolean }[] = [];

beforeEach(async () => {
  control = await SmallControl.start();
  refused.length = 0;
});
afterEach(() => control[Symbol.asyncDispose]());

/** From now on everybody who connects is such a one. */
async function everybodyIs(kind: CallerKind, trusts = false): Promise<void> {
  const caller: Caller = { kind, why: 'the test says so', from: 'pts/9: sh' };
  control.guard = () =>
    new Guard({
      caller: () => caller,
      trusts: () => trusts,
      isProof: (secret) => secret === 'the secret',
      refused: (refusal) => refused.push(refusal),
    });
  await control.hangUp();
  await control.listen();
}

/** Its error's code, or what of it got further than the guard. */
const codeOf = (method: ControlMethod, params: object = {}): Promise<string> =>
  callBridge(control.dir, method, params as never).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

test('what Claude has started reaches no method but panic, and is told so', async () => {
  await everybodyIs('claude', true);
  for (const method of methods.filter((each) => each !== 'bridge.panic'))
    expect([method, await codeOf(method, given(method))]).toEqual([method, 'not_allowed']);
  expect(refused).toHaveLength(methods.length - 1);
  await expect(callBridge(control.dir, 'bridge.resume', {})).rejects.toThrow(
    'something that Claude Code has started (the test says so; pts/9: sh)',
  );
  expect(await codeOf('bridge.panic')).toBe('done');
  // A no lets nothing run.
  expect(await codeOf('permission.decide', { code: 'abcde', verdict: 'deny' })).toBe('no_such_code');
});

async function refusedMethods(): Promise<string[]> {
  const all = await Promise.all(
    methods
      .filter((each) => each !== 'caller.prove')
      .map(async (method) => [method, await codeOf(method, given(method))] as const),
  );
  return all.flatMap(([method, code]) => (code === 'not_allowed' ? [method] : [])).toSorted();
}

test.each(['unattended', 'unknown'] as const)('%s looks and writes, and decides nothing', async (kind) => {
  await everybodyIs(kind);
  expect(await refusedMethods()).toEqual(deciding);
});

test.each(['operator', 'unattended', 'unknown'] as const)(
  '%s may do all of it where the configuration says so, or at a terminal',
  async (kind) => {
    await everybodyIs(kind, true);
    expect(await refusedMethods()).toEqual([]);
  },
);

test('a token that may decide holds for the connection that showed it, and for no other', async () => {
  await everybodyIs('unattended');
  expect(await codeOf('caller.prove', { token: 'guess' })).toBe('not_allowed');
  const connection = await connectBridge(control.dir);
  await connection.call('caller.prove', { token: 'the secret' });
  await expect(connection.call('bridge.resume', {})).resolves.toMatchObject({ resumed: false });
  connection.close();
  expect(await codeOf('bridge.resume')).toBe('not_allowed');
});
