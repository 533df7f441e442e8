// A tool whose schema is nested too deep for the frame that lends it to Claude: refused in words, and nothing else fails.
import { expect, test } from 'vitest';
import {
  readChatRequest,
  readResponsesRequest,
} from '../../../../src/bridge/ingress/openai/request/read-request.ts';
import { encode } from '../../../../src/protocol/wire/codec.ts';
import { SmallBridge } from '../../../support/small-bridge.ts';

/** JSON of a schema with so many levels. */
const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const chat = (levels: number): string =>
  `{"model":"claude","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"exec","parameters":${nested(levels)}}}]}`;
const responses = (levels: number): string =>
  `{"model":"claude","input":"hi","tools":[{"type":"function","name":"exec","parameters":${nested(levels)}}]}`;

test.each([
  ['chat/completions', chat, 'tools.0.function.parameters'],
  ['responses', responses, 'tools.0.parameters'],
])(
  '%s refuses a schema of 3,000 levels in words, and answers the next request',
  async (path, body, param) => {
    await using bridge = await SmallBridge.start();
    const response = await bridge.post(body(3_000), { path });
    const { error } = (await response.json()) as { error: { message: string; param: string } };
    expect([response.status, error.param]).toEqual([400, param]);
    expect(error.message).toMatch(/nested deeper than 60 levels\. Nothing was started; .+\.$/);
    expect(bridge.agent.prompts).toEqual([]);
    const next = await bridge.post(body(3), { path });
    expect(next.status).toBe(200);
  },
);

test('the deepest schema that is taken fits into the frame that lends it', () => {
  const read = (levels: number) => readChatRequest(JSON.parse(chat(levels)), {});
  const deepest = read(60);
  if (!deepest.ok) throw new Error('refused');
  expect(() => encode({ type: 'tools_changed', tools: deepest.value.tools })).not.toThrow();
  expect(read(61).ok).toBe(false);
  expect(readResponsesRequest(JSON.parse(responses(61)), {}).ok).toBe(false);
});
