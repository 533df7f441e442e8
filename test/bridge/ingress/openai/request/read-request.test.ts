import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  readChatRequest,
  readResponsesRequest,
} from '../../../../../src/bridge/ingress/openai/request/read-request.ts';
import { requestOf } from '../request.ts';

const hello = [{ role: 'user', content: 'hello' }];
const refusal = (body: unknown, api: 'chat' | 'responses' = 'chat') => {
  const result = (api === 'chat' ? readChatRequest : readResponsesRequest)(body, {});
  return result.ok ? undefined : { status: result.fault.status, ...result.fault.body.error };
};

describe('a chat completions body', () => {
  test('needs a model and a message, and nothing else', () => {
    expect(requestOf({ model: 'claude', messages: hello })).toEqual({
      api: 'chat',
      model: 'claude',
      stream: false,
      includeUsage: false,
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }], shape: 'string' }],
      tools: [],
      store: false,
      references: [],
      headers: {},
    });
  });

  test.each(['half \ud83d', [{ type: 'text', text: 'half \ud83d' }]])(
    'is read as what UTF-8 can hold: %j',
    (content) => {
      const request = requestOf({ model: 'claude', messages: [{ role: 'user', content }] });
      expect(request.messages[0]).toMatchObject({ parts: [{ type: 'text', text: 'half \ufffd' }] });
    },
  );

  test('may hold null for everything optional, and fields nobody knows', () => {
    const request = requestOf({
      model: 'claude',
      messages: [...hello, { role: 'assistant', content: null, tool_calls: null, audio: {} }],
      stream: null,
      stream_options: null,
      tools: null,
      n: null,
      user: null,
      prompt_cache_key: null,
      temperature: 0.3,
      store: false,
    });
    expect(request.messages[1]).toEqual({ role: 'assistant', text: '', calls: [] });
  });

  test.each([
    [{ messages: hello }, 'model'],
    [{ model: 'claude' }, 'messages'],
    [{ model: 'claude', messages: [] }, 'messages'],
    [{ model: 'claude', messages: hello, n: 2 }, 'n'],
    [{ model: 'claude', messages: [{ role: 'robot', content: '' }] }, 'messages.0.role'],
    [{ model: 'claude', messages: [{ role: 'user' }] }, 'messages.0.content'],
    [{ model: 'claude', messages: [{ role: 'user', content: 7 }] }, 'messages.0.content'],
    [{ model: 'claude', messages: [...hello, { role: 'tool', content: 'x' }] }, 'messages.1.tool_call_id'],
    [
      { model: 'claude', messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      'messages.0.content.0.text',
    ],
    [
      { model: 'claude', messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
      'messages.0.content.0.image_url',
    ],
    [{ model: 'claude', messages: hello, tools: [{ type: 'function' }] }, 'tools.0.function'],
    [{ model: 'claude', messages: hello, prompt_cache_key: 'a\nb' }, 'prompt_cache_key'],
    [{ model: 'claude', messages: hello, user: 'u'.repeat(513) }, 'user'],
  ])('is refused with the path of what is wrong: %j', (body, param) => {
    expect(refusal(body)).toMatchObject({ status: 400, code: 'invalid_request', param });
  });

  test.each([[null], [[]], ['text'], [7]])('is refused when it is no object: %j', (body) => {
    expect(refusal(body)).toMatchObject({ status: 400, code: 'invalid_json' });
  });

  test('lends each tool once, and only functions', () => {
    const tool = (name: string, description?: string) => ({
      type: 'function',
      function: { name, description },
    });
    const { tools } = requestOf({
      model: 'claude',
      messages: hello,
      tools: [tool('a', 'first'), tool('a', 'second'), { type: 'web_search' }, tool('b')],
    });
    expect(tools).toEqual([
      { name: 'a', description: 'first', parameters: { type: 'object' } },
      { name: 'b', description: '', parameters: { type: 'object' } },
    ]);
  });

  test('may still speak of functions instead of tools', () => {
    const { messages } = requestOf({
      model: 'claude',
      messages: [
        ...hello,
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
        { role: 'function', name: 'f', content: 'done' },
      ],
    });
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', text: '', calls: [{ id: 'f', name: 'f', arguments: '{"a":1}' }] },
      { role: 'tool', callId: 'f', text: 'done', images: [] },
    ]);
  });

  test('never makes the reader throw, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (messages, tools) => {
        readChatRequest({ model: 'claude', messages, tools }, {});
        readResponsesRequest({ model: 'claude', input: messages, tools }, {});
      }),
    );
  });
});

describe('a responses body', () => {
  test.each([
    [{ input: 'x' }, 'model'],
    [{ model: 'claude' }, 'input'],
    [{ model: 'claude', input: [] }, 'input'],
    [{ model: 'claude', input: [{ type: 'reasoning' }] }, 'input'],
    [{ model: 'claude', input: [{ type: 'function_call_output', output: 'x' }] }, 'input.0.call_id'],
    [{ model: 'claude', input: [{ role: 'user' }] }, 'input.0.content'],
    [{ model: 'claude', input: 'x', previous_response_id: '' }, 'previous_response_id'],
    [{ model: 'claude', input: 'x', conversation: 'conv_1' }, 'conversation'],
    [{ model: 'claude', input: 'x', store: 'yes' }, 'store'],
  ])('is refused with the path of what is wrong: %j', (body, param) => {
    expect(refusal(body, 'responses')).toMatchObject({ status: 400, param });
  });

  test('keeps all results of calls that ran side by side, however they are interleaved', () => {
    const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
    const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: `${id} done` });
    const { messages } = requestOf(
      {
        model: 'claude',
        input: [{ role: 'user', content: 'go' }, call('a'), output('a'), call('b'), output('b')],
      },
      {},
      'responses',
    );
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool']);
  });
});

describe('identity headers', () => {
  const body = { model: 'claude', messages: hello };

  test('are read in any case, decoded, and empty ones count as absent', () => {
    const { headers } = requestOf(body, {
      'X-Synthesis-Session': ' my session ',
      'x-openclaw-session-key': 'agent%3Amain%3Amain',
      'X-OPENCLAW-CHAT-ID': '',
      'x-client-request-id': 'r-1',
    });
    expect(headers).toEqual({ session: 'my session', sessionKey: 'agent:main:main' });
  });

  test.each([
    ['x-synthesis-session', 'a'.repeat(513)],
    ['x-synthesis-session', 'a\tb'],
    ['x-openclaw-session-key', 'a%0Ab'],
    ['x-openclaw-session-key', '%E0%A4'],
    ['x-session-affinity', ['a', 'b']],
  ])('%s is refused in words when it can not be a name', (name, value) => {
    const result = readChatRequest(body, { [name]: value });
    expect(result).toMatchObject({ ok: false, fault: { status: 400, body: { error: { param: name } } } });
  });

  test('never decode to a control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (key) => {
        const encoded = encodeURIComponent(key.toWellFormed());
        const result = readChatRequest(body, { 'x-openclaw-session-key': encoded });
        if (!result.ok) return;
        expect(result.value.headers.sessionKey ?? '').not.toMatch(/[\0-\x1f\x7f]/);
      }),
    );
  });
});
