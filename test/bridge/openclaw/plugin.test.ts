// The plugin as OpenClaw loads it: a plain module that is handed an API.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readIdentityHeaders } from '../../../src/bridge/ingress/openai/request/identity-headers.ts';
import { until } from '../../support/until.ts';

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
    on(hook: string, act: (event: unknown, context: unknown) => unknown): void;
    registerProvider(provider: Provider): void;
    runtime?: Runtime;
  }): void;
}

interface Runtime {
  config: { current(): unknown };
  modelConfig: { resolveDefaultModelForAgent(of: { agentId?: string }): { provider: string } };
  modelAuth: { resolveApiKeyForProvider(of: { provider: string }): Promise<{ apiKey: string }> };
}

let remember: (context: unknown) => void;
/** A message has arrived in OpenClaw. @returns what the hook hands back */
let received: (event: unknown, context: unknown) => unknown;
/** Agents whose configured model is another provider's. */
let elsewhere: string[];
/** OpenClaw's configuration, as it is when somebody asks. */
let current: () => unknown;
let provider: Provider;
beforeEach(async () => {
  const { default: plugin } = (await import(pathToFileURL(`${directory}/index.js`).href)) as {
    default: Plugin;
  };
  current = () => ({});
  elsewhere = [];
  plugin.register({
    runtime: {
      config: { current: () => current() },
      modelConfig: {
        resolveDefaultModelForAgent: ({ agentId = 'main' }) => ({
          provider: elsewhere.includes(agentId) ? 'openai' : 'synthesis',
        }),
      },
      modelAuth: {
        resolveApiKeyForProvider: async ({ provider }) => ({ apiKey: `key of ${provider}` }),
      },
    },
    on: (hook, act) => {
      if (hook === 'message_received') received = act;
      else {
        expect(hook).toBe('before_prompt_build');
        remember = (context) => act({}, context);
      }
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

describe('a message that has arrived', () => {
  const group = 'agent:main:telegram:group:-100777';
  let server: Server;
  let asked: { url: string | undefined; headers: IncomingHttpHeaders }[];
  beforeEach(async () => {
    asked = [];
    server = createServer(({ url, headers }, response) => {
      asked.push({ url, headers });
      response.writeHead(202).end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const synthesis = {
      baseUrl: `http://127.0.0.1:${port}/v1`,
      headers: { 'x-openclaw-provider': 'synthesis' },
    };
    current = () => ({ models: { providers: { synthesis } } });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await promisify(server.close.bind(server))();
  });

  /** Keys of the conversations that the bridge hears of. The last message is one of those: what comes before it is known by then. */
  async function heard(...messages: { key?: unknown; content?: unknown }[]): Promise<unknown[]> {
    for (const { key, content = 'hello' } of [...messages, { key: 'agent:main:last' }])
      expect(received({ content }, { sessionKey: key })).toBeUndefined();
    const keys = () =>
      asked.map(({ headers }) => decodeURIComponent(String(headers['x-openclaw-session-key'])));
    await until('the last one', () => keys().includes('agent:main:last'));
    return keys().filter((key) => key !== 'agent:main:last');
  }

  test('is told to the bridge by the name of its conversation alone, with the provider’s own token and headers', async () => {
    expect(await heard({ key: group, content: 'a secret' })).toEqual([group]);
    const [{ url, headers } = { url: '', headers: {} }] = asked;
    expect(url).toBe('/v1/warm');
    expect(headers).toMatchObject({
      authorization: 'Bearer key of synthesis',
      'x-openclaw-provider': 'synthesis',
      'content-length': '0',
    });
    expect(JSON.stringify(headers)).not.toContain('secret');
  });

  test('is not told when OpenClaw answers it itself, or with another model as far as anybody knows', async () => {
    elsewhere = ['notes'];
    remember({ sessionId: 's1', sessionKey: 'agent:main:switched', modelProviderId: 'openai' });
    remember({ sessionId: 's2', sessionKey: 'agent:notes:ours', modelProviderId: 'synthesis' });
    const keys = await heard(
      { key: group, content: '/status' },
      { key: 'agent:notes:main' },
      { key: 'agent:main:switched' },
      { key: 'agent:notes:ours' },
    );
    expect(keys).toEqual(['agent:notes:ours']);
    remember({ sessionId: 's1', sessionKey: 'agent:main:switched', modelProviderId: 'synthesis' });
    asked.length = 0;
    expect(await heard({ key: 'agent:main:switched' })).toEqual(['agent:main:switched']);
  });

  test('never fails anything, whatever is missing', async () => {
    for (const [event, context] of [
      [undefined, undefined],
      [{}, {}],
      [undefined, { sessionKey: group }],
      [{ content: 'x' }, { sessionKey: 'a'.repeat(600) }],
    ])
      expect(received(event, context)).toBeUndefined();
    const good = current;
    current = () => ({});
    expect(received({ content: 'x' }, { sessionKey: group })).toBeUndefined();
    current = () => {
      throw new Error('gone');
    };
    expect(received({ content: 'x' }, { sessionKey: group })).toBeUndefined();
    current = good;
    expect(await heard()).toEqual([]);
  });
});

test('its two manifests name the same version, the one that doctor compares', () => {
  const version = (file: string) =>
    (JSON.parse(readFileSync(`${directory}/${file}`, 'utf8')) as { version: string }).version;
  expect(version('openclaw.plugin.json')).toBe(version('package.json'));
});
