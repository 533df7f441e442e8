// The pure translations of the channel: messages, questions, tools, environment.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toChannelEvent } from '../../src/channel/notify.ts';
import { toRequestFrame } from '../../src/channel/permissions.ts';
import { SeenRing } from '../../src/channel/seen-ring.ts';
import { readSettings } from '../../src/channel/settings.ts';
import { toMcpResult, toToolList } from '../../src/mcp/tools.ts';
import type { ToolSpec } from '../../src/protocol/tool-spec.ts';

describe('meta', () => {
  test('has only keys and values that Claude Code keeps, whatever comes in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (meta) => {
        const json: Record<string, unknown> = JSON.parse(JSON.stringify(meta));
        const event = toChannelEvent({ type: 'inbound_message', request_id: 'm', content: '', meta: json });
        for (const [key, value] of Object.entries(event.meta)) {
          expect(key).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/);
          expect(value).toBeTypeOf('string');
          expect(value).not.toMatch(/[\u0000-\u001f]/);
        }
      }),
    );
  });

  test('a key that becomes equal to another by renaming does not replace it', () => {
    const meta = { user_id: 'u1', 'user-id': 'mallory' };
    const event = toChannelEvent({ type: 'inbound_message', request_id: 'm', content: 'x', meta });
    expect(event.meta).toEqual({ user_id: 'u1' });
  });
});

describe('permission requests', () => {
  const ask = (params: { request_id: string; input_preview: string }) =>
    toRequestFrame({
      method: 'notifications/claude/channel/permission_request',
      params: { tool_name: 'Bash', description: 'why', ...params },
    });

  test('a preview that is a whole object becomes one, a cut preview stays text', () => {
    expect(ask({ request_id: 'abxyz', input_preview: '{"command":"ls"}' })?.args).toEqual({ command: 'ls' });
    expect(ask({ request_id: 'abxyz', input_preview: '{"command":"ls' })?.args).toBe('{"command":"ls');
    expect(ask({ request_id: 'abxyz', input_preview: '["ls"]' })?.args).toBe('["ls"]');
  });

  test('an id that is no code makes no frame', () => {
    expect(ask({ request_id: 'hello', input_preview: '{}' })).toBeUndefined();
  });
});

describe('tools', () => {
  const entry = (name: string, description = ''): ToolSpec => ({ name, description, parameters: {} });

  test('descriptions stay below 2,000 characters and never end in half a character', () => {
    for (const text of ['x'.repeat(5000), `${'x'.repeat(1988)}😀😀`, '😀'.repeat(2000)]) {
      const description = toToolList([entry('t', text)]).tools[1]?.description ?? '';
      expect(description.length).toBeLessThan(2000);
      expect(description.isWellFormed()).toBe(true);
    }
  });

  test('every schema is an object schema', () => {
    const odd: ToolSpec = { name: 't', description: '', parameters: { type: 'string', title: 'T' } };
    expect(toToolList([odd]).tools[1]?.inputSchema).toEqual({ type: 'object', title: 'T' });
  });

  test('a name that the model cannot call is renamed, and the call goes to the original', () => {
    const { tools, originals } = toToolList([
      entry('files.read'),
      entry('files/read'),
      entry('y'.repeat(200)),
    ]);
    expect(tools.map(({ name }) => name)).toEqual(['reply', 'files_read', 'y'.repeat(112)]);
    expect(originals.get('files_read')).toBe('files.read');
  });

  test("the bridge's own reply tool replaces the built-in one", () => {
    const { tools } = toToolList([entry('reply', 'ours')]);
    expect(tools.map(({ description }) => description)).toEqual(['ours']);
  });

  test('results reach Claude as text', () => {
    const text = (result: unknown) => toMcpResult({ ok: true, result }).content[0]?.text;
    expect([text('plain'), text({ a: 1 }), text(null), text(undefined), text('')]).toEqual([
      'plain',
      '{"a":1}',
      'null',
      '(no output)',
      '(no output)',
    ]);
  });

  test('an envelope is the structure and the same JSON as text, and an error if it failed', () => {
    const { result, error } = { result: '{"status":"healthy"}', error: '{"status":"unavailable"}' };
    expect(toMcpResult({ ok: true, result, envelope: true })).toEqual({
      content: [{ type: 'text', text: result }],
      structuredContent: { status: 'healthy' },
    });
    expect(toMcpResult({ ok: false, error, envelope: true })).toEqual({
      content: [{ type: 'text', text: error }],
      structuredContent: { status: 'unavailable' },
      isError: true,
    });
    expect(toMcpResult({ ok: true, result })).toEqual({ content: [{ type: 'text', text: result }] });
  });

  test.each(['no JSON', '[1]', 'null', '"text"'])('an envelope that is %s has to do as text', (error) => {
    expect(toMcpResult({ ok: false, error, envelope: true })).toEqual({
      content: [{ type: 'text', text: error }],
      isError: true,
    });
  });
});

describe('environment', () => {
  const env = {
    SYNTHESIS_BRIDGE_URL: 'ws://127.0.0.1:18801/bridge',
    SYNTHESIS_BRIDGE_TOKEN: 'secret',
    SYNTHESIS_OPENCLAW_SESSION: 's',
    SYNTHESIS_CLAUDE_SESSION: 'c',
  };

  test('a missing variable is named, the token never', () => {
    const settings = readSettings({ ...env, SYNTHESIS_OPENCLAW_SESSION: '' });
    expect(settings).toMatchObject({
      kind: 'unlinked',
      reason: expect.stringContaining('SYNTHESIS_OPENCLAW_SESSION'),
    });
    expect(JSON.stringify(settings)).not.toContain('secret');
  });

  test("Claude Code's own session id stands in for the Claude session", () => {
    const { SYNTHESIS_CLAUDE_SESSION: _, ...rest } = env;
    const settings = readSettings({ ...rest, CLAUDE_CODE_SESSION_ID: 'own' });
    expect(settings).toMatchObject({ kind: 'linked', link: { claudeSession: 'own' } });
  });

  test.each(['http://127.0.0.1:1', 'not a url', 'file:///etc/passwd'])(
    '%s is not an address to dial',
    (url) => {
      expect(readSettings({ ...env, SYNTHESIS_BRIDGE_URL: url }).kind).toBe('unlinked');
    },
  );

  test.each([
    ['250', 250],
    ['-1', 600_000],
    ['soon', 600_000],
    [undefined, 600_000],
  ])('a call outlives a lost bridge by %s → %i ms', (text, ms) => {
    expect(readSettings({ ...env, SYNTHESIS_CALL_OFFLINE_MS: text }).offlineMs).toBe(ms);
  });
});

test('the ring keeps the newest ids and forgets the oldest', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 2 })), fc.integer({ min: 1, max: 5 }), (ids, capacity) => {
      const ring = new SeenRing(capacity);
      for (const id of ids) ring.add(id);
      const expected = [...new Set([...ids].reverse())].slice(0, capacity).reverse();
      expect(ring.newest(100)).toEqual(expected);
      for (const id of expected) expect(ring.has(id)).toBe(true);
    }),
  );
});
