// The plugin as OpenClaw loads it: a plain module that is handed an API.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { readIdentityHeaders } from '../../../src/bridge/ingress/openai/identity-headers.ts';

const directory = resolve(import.meta.dirname, '../../../openclaw-plugin');

type Headers = Record<string, string>;
type Stream = (
  model: unknown,
  prompt: unknown,
  options?: { sessionId?: string; headers?: Headers },
) => Headers;
interface Provider {
  id: string;
  wrapStreamFn(context: { agentId?: string; streamFn?: Stream }): Stream | undefined;
}
interface Plugin {
  id: string;
  register(api: {
    on(hook: string, act: (event: unknown, context: unknown) => void): void;
    registerProvider(provider: Provider): void;
    runtime?: { config: { current(): unknown } };
  }): void;
}

let remember: (context: unknown) => void;
/** OpenClaw's configuration, as it is when somebody asks. */
let current: () => unknown;
let provider: Provider;
beforeEach(async () => {
  const { default: plugin } = (await import(pathToFileURL(`${directory}/index.js`).href)) as {
    default: Plugin;
  };
  current = () => ({});
  plugin.register({
    runtime: { config: { current: () => current() } },
    on: (hook, act) => {
      expect(hook).toBe('before_prompt_build');
      remember = (context) => act({}, context);
    },
    registerProvider: (given) => {
      provider = given;
    },
  });
});

/** The headers that reach the transport. */
const sent = (options?: Parameters<Stream>[2], agentId?: string) =>
  provider.wrapStreamFn({ ...(agentId && { agentId }), streamFn: (_, __, given) => given?.headers ?? {} })?.(
    {},
    {},
    options,
  );

const turn = {
  sessionId: 's1',
  sessionKey: 'agent:main:telegram:group:-100777',
  messageProvider: 'telegram',
  chatId: -100777,
  senderId: '9001',
  trigger: 'user',
  runId: 'r1',
};

test('a request carries what the hook before it was told of its session', () => {
  remember(turn);
  expect(sent({ sessionId: 's1', headers: { authorization: 'kept' } }, 'main')).toEqual({
    authorization: 'kept',
    'x-openclaw-session-key': 'agent%3Amain%3Atelegram%3Agroup%3A-100777',
    'x-openclaw-session-id': 's1',
    'x-openclaw-agent-id': 'main',
    'x-openclaw-channel': 'telegram',
    'x-openclaw-chat-id': '-100777',
    'x-openclaw-sender-id': '9001',
    'x-openclaw-trigger': 'user',
    'x-openclaw-run-id': 'r1',
  });
});

test('the newest turn of a session counts, and what it does not know is not kept from the one before', () => {
  remember(turn);
  remember({ sessionId: 's1', sessionKey: turn.sessionKey, trigger: 'heartbeat' });
  expect(sent({ sessionId: 's1' })).toEqual({
    'x-openclaw-session-key': 'agent%3Amain%3Atelegram%3Agroup%3A-100777',
    'x-openclaw-session-id': 's1',
    'x-openclaw-trigger': 'heartbeat',
  });
});

test('a session that no hook told of, and a call without one, say only what they know', () => {
  expect(sent({ sessionId: 'other' }, 'main')).toEqual({
    'x-openclaw-session-id': 'other',
    'x-openclaw-agent-id': 'main',
  });
  expect(sent()).toEqual({});
  expect(provider.wrapStreamFn({})).toBeUndefined();
});

test('it says how the chat shows an answer that grows, by the configuration of that moment', () => {
  remember({ ...turn, accountId: 'garden' });
  const streaming = () => sent({ sessionId: 's1' })?.['x-openclaw-streaming'];
  expect(streaming()).toBeUndefined();
  current = () => ({ channels: { telegram: { streaming: { mode: 'partial' } } } });
  expect(streaming()).toBe('partial');
  const accounts = { garden: { streaming: { mode: 'off' } } };
  current = () => ({ channels: { telegram: { streaming: { mode: 'partial' }, accounts } } });
  expect(streaming()).toBe('off');
  current = () => {
    throw new Error('gone');
  };
  expect(sent({ sessionId: 's1' })).toMatchObject({ 'x-openclaw-trigger': 'user' });
});

test('nothing in it fails a turn', () => {
  for (const context of [undefined, null, {}, { sessionId: 7 }, { sessionId: '' }]) remember(context);
  const broken = {
    sessionId: 's2',
    get sessionKey() {
      throw new Error('gone');
    },
  };
  remember(broken);
  expect(sent({ sessionId: 's2', headers: { authorization: 'kept' } })).toEqual({ authorization: 'kept' });
});

test('it remembers five hundred sessions and forgets the oldest first', () => {
  for (let each = 0; each <= 500; each += 1) remember({ ...turn, sessionId: `many${each}` });
  expect(sent({ sessionId: 'many0' })).not.toHaveProperty('x-openclaw-session-key');
  expect(sent({ sessionId: 'many1' })).toHaveProperty('x-openclaw-session-key');
  expect(sent({ sessionId: 'many500' })).toHaveProperty('x-openclaw-session-key');
});

test('whatever a name holds, the bridge reads that name or none: it never refuses the request', () => {
  const name = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 490, maxLength: 600 }));
  fc.assert(
    fc.property(name, (sessionKey) => {
      remember({ ...turn, sessionId: 'any', sessionKey });
      const headers = sent({ sessionId: 'any' }) ?? {};
      for (const value of Object.values(headers)) expect(value).toMatch(/^[\x21-\x7e]*$/);
      const read = readIdentityHeaders(headers);
      expect(read.ok).toBe(true);
      const told = read.ok ? read.value.sessionKey : undefined;
      if (told !== undefined) expect(told).toBe(sessionKey.toWellFormed());
      if (/^[\x21-\x7e]{1,500}$/.test(sessionKey)) expect(told).toBe(sessionKey);
    }),
  );
});

test('its two manifests name the same version, the one that doctor compares', () => {
  const version = (file: string) =>
    (JSON.parse(readFileSync(`${directory}/${file}`, 'utf8')) as { version: string }).version;
  expect(version('openclaw.plugin.json')).toBe(version('package.json'));
});
