import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openClawRequest } from '../../../../../bench/subject/openclaw-request.ts';
import {
  ChatRequest,
  chatMessages,
  chatTools,
} from '../../../../../src/bridge/ingress/openai/request/chat-schema.ts';
import { isPlainChat } from '../../../../../src/bridge/ingress/openai/request/plain-chat.ts';
import { runs } from '../../../../support/runs.ts';

const whole = {
  model: 'claude',
  messages: [
    { role: 'system', content: 'be brief' },
    { role: 'developer', content: [{ type: 'text', text: 'be kind' }], name: 'dev' },
    { role: 'user', content: 'hello', name: null },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', function: { name: 'exec', arguments: '{}' } }],
    },
    { role: 'tool', content: 'done', tool_call_id: 'c1' },
    { role: 'assistant', content: 'it ran', tool_calls: null },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'and' },
        { type: 'text', text: 'now?' },
      ],
    },
  ],
  stream: true,
  stream_options: { include_usage: true },
  tools: [
    { type: 'function', function: { name: 'exec', description: 'runs it', parameters: { type: 'object' } } },
    { type: 'function', function: { name: 'other', description: null } },
  ],
  n: 1,
  max_completion_tokens: 100,
  user: 'alice',
  prompt_cache_key: 'key:1',
};

type Path = readonly (string | number)[];
const pathsIn = (value: unknown, above: Path = []): Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[...above, key], ...pathsIn(inner, [...above, key])])
    : [];
/** Where something may stand, too. */
const others = [
  'function_call',
  'tool_call_id',
  'tool_calls',
  'name',
  'refusal',
  'image_url',
  'text',
  'role',
];
const paths = pathsIn(whole).flatMap((path) => [path, ...others.map((key) => [...path, key])]);

const anything = fc.constantFrom<unknown>(
  ...[undefined, null, '', 'text', 'half \ud83d', 'a\nb', 'x'.repeat(600), 0, 1, 2],
  ...[true, [], {}, [null], ['text'], { url: 'data:,' }, { name: 'exec' }, { id: 'c', function: {} }],
  ...['user', 'assistant', 'tool', 'function', 'image_url'],
);

/** A copy with something else in that place, if there is one. */
function withOdd(body: unknown, [key, ...inner]: Path, odd: unknown): unknown {
  if (key === undefined) return odd;
  if (typeof body !== 'object' || body === null) return body;
  const copy = Array.isArray(body) ? [...body] : { ...body };
  const rest = withOdd(Reflect.get(copy, key), inner, odd);
  if (rest === undefined) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, rest);
  return copy;
}

test('what is read without the schema is what the schema makes of it', () => {
  const change = fc.tuple(fc.constantFrom(...paths), anything);
  let plain = 0;
  fc.assert(
    fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
      const made = changes.reduce<unknown>((before, [path, odd]) => withOdd(before, path, odd), whole);
      const body: unknown = JSON.parse(JSON.stringify(made));
      if (!isPlainChat(body as object)) return;
      plain += 1;
      const wire = body as ChatRequest;
      const { messages, tools, ...fields } = ChatRequest.parse(body);
      expect(chatMessages(wire)).toEqual(chatMessages({ ...fields, messages }));
      expect(chatTools(wire)).toEqual(chatTools({ ...fields, messages, tools }));
      expect(body).toMatchObject(fields);
    }),
    { numRuns: runs(1_000) },
  );
  expect(plain).toBeGreaterThan(0);
});

test('a usual request needs no schema', () => {
  expect(isPlainChat(whole)).toBe(true);
});

test('a request of OpenClaw needs no schema', () => {
  expect(isPlainChat(JSON.parse(openClawRequest('hello')))).toBe(true);
});

test.each([
  [{ role: 'user' }],
  [{ role: 'user', content: 'half \ud83d' }],
  [{ role: 'user', content: [{ type: 'text', text: 'half \ud83d' }] }],
  [{ role: 'tool', content: 'done' }],
  [{ role: 'tool', content: 'done', tool_call_id: '' }],
  [{ role: 'function', content: 'done', name: 'exec' }],
  [{ role: 'assistant', content: null, tool_calls: [{ id: 'c1', function: { name: 'exec' } }] }],
  [{ role: 'assistant', content: null, function_call: { name: 'exec', arguments: '' } }],
])('what the schema refuses or changes is left to it: %j', (odd) => {
  const hello = { role: 'user', content: 'hello' };
  expect(isPlainChat({ model: 'claude', messages: [hello, odd] })).toBe(false);
  expect(isPlainChat({ model: 'claude', messages: [hello] })).toBe(true);
});
