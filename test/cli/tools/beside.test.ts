// What `ps` and `doctor` say of providers, beside everything else.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runningBridge } from '../../../src/cli/client/running-bridge.ts';
import { ps } from '../../../src/cli/commands/sessions/ps.ts';
import { exitCodes } from '../../../src/cli/exit-codes.ts';
import type { BridgeStatus } from '../../../src/domain/views/control.ts';
import type { ProviderView } from '../../../src/domain/views/tools.ts';
import { StandInBridge } from '../../e2e/support/stand-in-bridge.ts';
import { escapePayloads } from '../escape-payloads.ts';
import { forbidden, viewOf, World } from './world.ts';

let bridge: StandInBridge;
beforeAll(async () => {
  bridge = await StandInBridge.open();
  bridge.answers.set('session.list', []);
});
afterAll(() => bridge[Symbol.asyncDispose]());

/** A bridge that is well but for these. */
function has(providers: ProviderView[] | undefined): void {
  const status: Partial<BridgeStatus> = { version: '1', pid: 1, url: '', live: 0, sessions: 0 };
  const well = { health: [], notices: [], connections: [], panic: null };
  bridge.answers.set('bridge.status', { ...status, ...well, providers });
}

async function psSays(about: { json?: boolean; quiet?: boolean; check?: boolean }) {
  await using world = new World();
  const options = {
    state: bridge.state,
    json: false,
    quiet: false,
    check: false,
    cost: true,
    all: true,
    ...about,
  };
  return world.printed(() => ps(options));
}

const slow = viewOf('notes', { status: 'degraded', reason: 'it answers slowly' });
const gone = viewOf('web', { status: 'unavailable', reason: 'it does not answer' });

test('ps names each provider that is not healthy, and no other', async () => {
  has([viewOf('files'), slow, gone]);
  const { code, err } = await psSays({});
  expect(err.split('\n').filter((line) => line.startsWith('tools'))).toEqual([
    'tools notes: degraded (it answers slowly)',
    'tools web: unavailable (it does not answer)',
  ]);
  expect(code).toBe(exitCodes.ok);
  for (const about of [{ json: true }, { quiet: true }]) expect((await psSays(about)).err).toBe('');
});

test.each([
  ['one that is healthy', [viewOf('files')], exitCodes.ok],
  ['one that is not', [viewOf('files'), slow], exitCodes.degraded],
  ['a bridge of an older release', undefined, exitCodes.ok],
])('ps --check counts providers: %s', async (_, providers, code) => {
  has(providers);
  expect((await psSays({ check: true })).code).toBe(code);
});

test('doctor has a finding for each, with what to look at', async () => {
  has([viewOf('files'), slow, gone]);
  const { checks } = await runningBridge(bridge.state);
  const suggestion = (name: string) => expect.stringContaining(`\`synthesis tools inspect ${name}\``);
  expect(checks.filter(({ name }) => name === 'tools')).toEqual([
    { name: 'tools', status: 'ok', message: 'tools files: healthy', suggestion: null },
    {
      name: 'tools',
      status: 'warning',
      message: 'tools notes: degraded (it answers slowly)',
      suggestion: suggestion('notes'),
    },
    {
      name: 'tools',
      status: 'failed',
      message: 'tools web: unavailable (it does not answer)',
      suggestion: suggestion('web'),
    },
  ]);
  has(undefined);
  expect((await runningBridge(bridge.state)).checks.map(({ name }) => name)).toEqual(['bridge']);
});

test('a reason is one row, whatever it holds', async () => {
  const foreigners = escapePayloads.map(({ text }) => `a${text}b`);
  has(foreigners.map((foreign) => viewOf(foreign, { status: 'degraded', reason: foreign })));
  const { err } = await psSays({});
  expect(err).not.toMatch(forbidden);
  expect(err.split('\n').filter((line) => line.startsWith('tools '))).toHaveLength(foreigners.length);
});
