import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Config } from '../../src/protocol/settings/config.ts';
import {
  AgpConnectionState,
  AgpUplink,
  encodeAgp,
  PromptResponsePayload,
  parseAgp,
  ToolCallKind,
  ToolCallStatus,
  UpdatePayload,
} from '../../src/protocol/wire/agp.ts';

const root = join(import.meta.dirname, '../fixtures/agp');
/** Method → who sends it. A ping travels both ways; its golden frames to reject are ours. */
const received = ['session.prompt', 'session.cancel'];
const sent = ['session.update', 'session.promptResponse'];

interface Golden {
  name: string;
  method: string;
  value: unknown;
}

function goldens(kind: 'accept' | 'reject'): Golden[] {
  return readdirSync(join(root, kind), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: file,
      method: file.split('/')[0] ?? '',
      value: JSON.parse(readFileSync(join(root, kind, file), 'utf8')),
    }));
}

const accepted = goldens('accept');
const rejected = goldens('reject');

test('every method of the protocol has golden frames to accept and to reject, and there is no other', () => {
  const methods = [...received, ...sent, 'ping'].sort();
  expect([...new Set(accepted.map((golden) => golden.method))].sort()).toEqual(methods);
  expect([...new Set(rejected.map((golden) => golden.method))].sort()).toEqual(methods);
});

describe('what is received', () => {
  test.each(accepted.filter(({ method }) => !sent.includes(method)))('accepts $name', ({ value, method }) => {
    expect(parseAgp(JSON.stringify(value))).toMatchObject({ ok: true, message: { method } });
  });

  test.each(rejected.filter(({ method }) => received.includes(method)))('rejects $name', ({ value }) => {
    expect(parseAgp(JSON.stringify(value))).toMatchObject({ ok: false, code: 'bad_frame' });
  });

  test.each(accepted.filter(({ method }) => sent.includes(method)))(
    'takes $name for nothing a gateway may send',
    ({ value }) => {
      expect(parseAgp(JSON.stringify(value))).toMatchObject({ ok: false, code: 'unknown_method' });
    },
  );

  test('a prompt that cannot be read still says which it is', () => {
    const unreadable = rejected.filter(({ name }) => /content-is-text|block-without-type/.test(name));
    expect(unreadable).toHaveLength(2);
    for (const { value } of unreadable) {
      const prompt = { payload: { session_id: 'wx-alice-1', prompt_id: 'turn-7' } };
      expect(parseAgp(JSON.stringify(value))).toMatchObject({ ok: false, prompt });
    }
  });

  test('labels of a wrong type are as good as none', () => {
    const payload = { session_id: 's', prompt_id: 'p', content: [] };
    const parsed = parseAgp(
      JSON.stringify({ msg_id: 7, guid: '', user_id: {}, method: 'session.prompt', payload }),
    );
    expect(parsed).toMatchObject({ ok: true });
    if (!parsed.ok) return;
    const { msg_id, guid, user_id } = parsed.message;
    expect([msg_id, guid, user_id]).toEqual([undefined, undefined, undefined]);
  });

  test('a fault names fields and never quotes what they hold', () => {
    const payload = { session_id: 's3cret', prompt_id: ['s3cret'], content: 's3cret' };
    const parsed = parseAgp(JSON.stringify({ msg_id: 's3cret', method: 'session.prompt', payload }));
    expect(parsed).toMatchObject({ ok: false, words: expect.stringContaining('payload.prompt_id') });
    expect(JSON.stringify(parsed)).not.toContain('s3cret');
  });

  test('whatever comes, nothing is thrown', () => {
    const frame = fc.record(
      {
        msg_id: fc.anything(),
        method: fc.constantFrom('session.prompt', 'session.cancel', 'ping', 'x'),
        payload: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          frame.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          expect(typeof parseAgp(text ?? '').ok).toBe('boolean');
        },
      ),
    );
  });
});

describe('what is sent', () => {
  const ours = ({ method }: Golden) => !received.includes(method);

  test.each(accepted.filter((golden) => sent.includes(golden.method)))(
    'sends $name as it is',
    ({ value }) => {
      expect(JSON.parse(encodeAgp(AgpUplink.parse(value)))).toEqual(value);
    },
  );

  test.each(rejected.filter(ours))('never sends $name', ({ value }) => {
    expect(() => encodeAgp(value as AgpUplink)).toThrow();
  });
});

test('the names are the protocol’s own', () => {
  expect(ToolCallStatus.options).toEqual(['pending', 'in_progress', 'completed', 'failed']);
  expect(ToolCallKind.options).toHaveLength(8);
  expect(AgpConnectionState.options).toEqual(['disconnected', 'connecting', 'connected', 'reconnecting']);
  const updates = UpdatePayload.options.map((option) => option.shape.update_type.value);
  expect(updates).toEqual(['message_chunk', 'tool_call', 'tool_call_update']);
  const reasons = PromptResponsePayload.options.map((option) => option.shape.stop_reason.value);
  expect(reasons).toEqual(['end_turn', 'cancelled', 'refusal', 'error']);
});

describe('the configuration of a gateway', () => {
  const read = (entry: object) => Config.safeParse({ agp: [entry] });

  test('has the protocol’s defaults, and no gateway by default', () => {
    expect(Config.parse({}).agp).toEqual([]);
    const { agp } = Config.parse({ agp: [{ url: 'wss://gateway.example/ws', token: 't' }] });
    expect(agp[0]).toMatchObject({
      reconnectInterval: 3_000,
      maxReconnectAttempts: 0,
      heartbeatInterval: 20_000,
    });
  });

  test.each([
    ['a gateway on this machine in the clear', { url: 'ws://127.0.0.1:9/x', token: 't' }],
    ['localhost', { url: 'ws://localhost:9/x', token: 't' }],
    ['a token file', { url: 'wss://gateway.example', tokenFile: '/home/alice/token' }],
  ])('accepts %s', (_what, entry) => {
    expect(read(entry).success).toBe(true);
  });

  test.each([
    ['a token in the clear over the network', { url: 'ws://gateway.example/ws', token: 't' }],
    ['a look-alike of this machine', { url: 'ws://127.0.0.1.example/ws', token: 't' }],
    ['http', { url: 'https://gateway.example', token: 't' }],
    ['the token in the URL', { url: 'wss://gateway.example?token=t', token: 't' }],
    ['a password in the URL', { url: 'wss://a:b@gateway.example', token: 't' }],
    ['no token', { url: 'wss://gateway.example' }],
    ['two tokens', { url: 'wss://gateway.example', token: 't', tokenFile: '/t' }],
    ['a relative token file', { url: 'wss://gateway.example', tokenFile: 'token' }],
    ['an unknown key', { url: 'wss://gateway.example', token: 't', retries: 3 }],
  ])('refuses %s', (_what, entry) => {
    expect(read(entry).success).toBe(false);
  });

  test('refuses two gateways that cannot be told apart', () => {
    const one = { url: 'wss://gateway.example', token: 't' };
    expect(Config.safeParse({ agp: [one, { ...one, token: 'u' }] }).success).toBe(false);
    expect(Config.safeParse({ agp: [one, { ...one, url: `${one.url}/?account=2` }] }).success).toBe(true);
  });
});
