import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encode,
  FrameError,
  frameTypes,
  type Parsed,
  parseBridgeFrame,
  parseChannelFrame,
} from '../../src/protocol/wire/codec.ts';
import {
  BridgeFrame,
  ChannelFrame,
  MAX_FRAME_BYTES,
  PermissionCode,
  type WireFrame,
} from '../../src/protocol/wire/wire.ts';

const root = join(import.meta.dirname, '../fixtures/wire');

interface Golden {
  name: string;
  type: string;
  text: string;
}

function goldens(kind: 'accept' | 'reject'): Golden[] {
  const dir = join(root, kind);
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: file,
      type: file.split('/')[0] ?? '',
      text: readFileSync(join(dir, file), 'utf8'),
    }));
}

const accepted = goldens('accept');
const rejected = goldens('reject');

/** The outcome at the end that reads this type; both ends read ping, pong and error. */
function received(text: string): Parsed<WireFrame>[] {
  const outcomes: Parsed<WireFrame>[] = [parseChannelFrame(text), parseBridgeFrame(text)];
  return outcomes.filter((parsed) => parsed.ok || !parsed.message.includes('does not travel'));
}

test('every frame type has golden frames to accept and to reject, and no other folder exists', () => {
  const types = [...frameTypes()].sort();
  expect([...new Set(accepted.map((golden) => golden.type))].sort()).toEqual(types);
  expect([...new Set(rejected.map((golden) => golden.type))].sort()).toEqual(types);
});

describe('golden frames', () => {
  test.each(accepted)('accepts $name, and what it reads survives encode and a second reading', (golden) => {
    const outcomes = received(golden.text);
    expect(outcomes.length).toBeGreaterThan(0);
    for (const parsed of outcomes) {
      if (!parsed.ok) throw new Error(parsed.message);
      expect(parsed.frame.type).toBe(golden.type);
      expect(received(encode(parsed.frame))).toContainEqual(parsed);
    }
  });

  test.each(rejected)('rejects $name as a bad frame', (golden) => {
    expect(JSON.parse(golden.text).type).toBe(golden.type);
    const outcomes = received(golden.text);
    expect(outcomes.length).toBeGreaterThan(0);
    for (const parsed of outcomes) expect(parsed).toMatchObject({ ok: false, code: 'bad_frame' });
  });
});

describe('parsing', () => {
  test('drops fields it does not know and keeps further meta', () => {
    const ping = parseBridgeFrame('{"type":"ping","ts":1,"colour":"red"}');
    expect(ping).toEqual({ ok: true, frame: { type: 'ping', ts: 1 } });
    const inbound = parseBridgeFrame(
      '{"type":"inbound_message","request_id":"m","content":"hi","meta":{"thread":"t"}}',
    );
    expect(inbound).toMatchObject({ ok: true, frame: { meta: { thread: 't' } } });
  });

  test('tells an unknown type apart from a bad frame, and prints it harmlessly', () => {
    const parsed = parseBridgeFrame(JSON.stringify({ type: '\u001b[2Jteleport' }));
    expect(parsed).toEqual({
      ok: false,
      code: 'unknown_type',
      message: 'unknown frame type "?[2Jteleport"',
    });
  });

  test.each([
    '',
    'null',
    '[]',
    '"ping"',
    '{}',
    '{"type":7}',
    '{"type":"toString"}',
    '{"type":"ping","ts":1e400}',
  ])('survives %j', (text) => {
    expect(parseChannelFrame(text).ok).toBe(false);
  });

  test('a frame of the other direction is a bad frame, not an unknown one', () => {
    expect(parseBridgeFrame('{"type":"tool_cancel","call_id":"a"}')).toMatchObject({ code: 'bad_frame' });
  });

  test('a frame nested 10,000 levels deep is refused without a stack overflow', () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const parsed = parseBridgeFrame(`{"type":"tool_result","call_id":"a","ok":true,"result":${deep}}`);
    expect(parsed).toMatchObject({ code: 'bad_frame' });
  });

  test('a fault never quotes a value', () => {
    const parsed = parseChannelFrame('{"type":"hello","token":["s3cret"],"pid":"s3cret"}');
    expect(JSON.stringify(parsed)).not.toContain('s3cret');
  });

  test('a __proto__ key gives a frame no foreign prototype', () => {
    const parsed = parseBridgeFrame(
      '{"type":"inbound_message","request_id":"m","content":"","meta":{"__proto__":{"user":"mallory"}}}',
    );
    expect(parsed.ok && parsed.frame.type === 'inbound_message' && parsed.frame.meta.user).toBeUndefined();
  });
});

describe('encoding', () => {
  test('leaves out what the protocol does not know', () => {
    const frame = { type: 'ping', ts: 1, note: 'mine' } as const;
    expect(encode(frame)).toBe('{"type":"ping","ts":1}');
  });

  test('refuses a frame that the other side would refuse', () => {
    const frame = { type: 'permission_reply', request_id: 'hello', behavior: 'allow' } as const;
    expect(() => encode(frame)).toThrow(FrameError);
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(() => encode({ type: 'tool_call', call_id: 'a', tool: 't', args: loop })).toThrow(/nested deeper/);
  });

  test('the limit is 1 MiB of UTF-8, not of characters', () => {
    const frame = (content: string): WireFrame => ({
      type: 'inbound_message',
      request_id: 'm',
      content,
      meta: {},
    });
    const frameOverhead = encode(frame('')).length;
    expect(encode(frame('x'.repeat(MAX_FRAME_BYTES - frameOverhead))).length).toBe(MAX_FRAME_BYTES);
    expect(() => encode(frame('x'.repeat(MAX_FRAME_BYTES - frameOverhead + 1)))).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    );
    expect(() => encode(frame('€'.repeat(MAX_FRAME_BYTES / 2)))).toThrow(/too_large|limit/);
  });

  test('any text survives the way there', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        const parsed = parseBridgeFrame(
          encode({ type: 'inbound_message', request_id: 'm', content, meta: {} }),
        );
        expect(parsed).toMatchObject({ ok: true, frame: { content } });
      }),
    );
  });
});

test('a permission code is 5 letters without l', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), (text) => {
      const simple = text.length === 5 && [...text].every((c) => c >= 'a' && c <= 'z' && c !== 'l');
      expect(PermissionCode.safeParse(text).success).toBe(simple);
    }),
  );
});

test('ping, pong and error travel both ways, every other type one way', () => {
  const both = [...frameTypes()].filter((type) => {
    const probe = JSON.stringify({ type });
    return [parseChannelFrame(probe), parseBridgeFrame(probe)].every(
      (parsed) => !parsed.ok && !parsed.message.includes('does not travel'),
    );
  });
  expect(both.sort()).toEqual(['error', 'ping', 'pong']);
  expect(ChannelFrame.options.length + BridgeFrame.options.length).toBe(frameTypes().size + both.length);
});
