import fc from 'fast-check';
import type { OpenAI } from 'openai';
import { describe, expect, test } from 'vitest';
import { smallUsage } from '../../../../../src/bridge/ingress/openai/answer/answer.ts';
import { answerObject, modelList } from '../../../../../src/bridge/ingress/openai/answer/answer-object.ts';
import { answerStream } from '../../../../../src/bridge/ingress/openai/answer/answer-stream.ts';
import {
  keepAliveChunk,
  roleChunk,
  usageChunk,
} from '../../../../../src/bridge/ingress/openai/answer/render-chat.ts';
import { DONE, sseEvent } from '../../../../../src/bridge/ingress/openai/answer/sse.ts';
import { matchCallId, wireCallId } from '../../../../../src/bridge/ingress/openai/request/call-id.ts';
import { runs } from '../../../../support/runs.ts';
import { decodeSse } from './sse-decoder.ts';

const head = { id: 'abc123', created: 1_790_000_000, model: 'claude' };
const calls = [
  { id: 'call_1', name: 'exec', args: { command: 'ls "a b"' } },
  { id: 'tc2', name: 'read', args: {} },
];
type Chunk = OpenAI.Chat.ChatCompletionChunk;

describe('an SSE event', () => {
  test('gives back every string', () => {
    const nasty = fc.oneof(
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
      fc.constantFrom(
        '\r',
        '\n',
        '\r\n',
        '\u2028',
        '\u2029',
        '\u0085',
        'data: x',
        '[DONE]',
        '\ud800',
        ':',
        '',
      ),
    );
    fc.assert(
      fc.property(
        fc.array(nasty).map((pieces) => pieces.join('')),
        (text) => {
          const sent = new TextDecoder().decode(new TextEncoder().encode(sseEvent(text, 'x.y')));
          expect(decodeSse(sent)).toEqual(
            [{ event: 'x.y', data: JSON.stringify(text) }].map(({ event, data }) => ({
              event,
              value: JSON.parse(data),
            })),
          );
        },
      ),
    );
  });

  // The standard knows \n, \r and \r\n. Clients that split decoded text as Python's splitlines does know all of these.
  test('is one line for every kind of line splitter', () => {
    const splitters = [...'\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029'];
    for (const splitter of splitters) {
      const text = `a${splitter}b`;
      const line = sseEvent({ text }).slice(0, -2);
      expect([text, splitters.filter((each) => line.includes(each))]).toEqual([text, []]);
      expect(decodeSse(`${line}\n\n`)).toEqual([{ value: { text } }]);
    }
  });
});

/** What a stream ends with, after it was given `said`. */
const end = (
  stream: ReturnType<typeof answerStream>,
  said: string,
  inputCharacters: number,
  called: typeof calls = [],
) => [...stream.finish({ said, inputCharacters, calls: called })].join('');

describe('a chat completions stream', () => {
  const streamed = (write: (stream: ReturnType<typeof answerStream>) => string, includeUsage = true) =>
    decodeSse(write(answerStream({ api: 'chat', head, includeUsage })));

  test('opens with the role, keeps alive with data, and ends with finish, usage and [DONE]', () => {
    const events = streamed(
      (s) => s.open() + s.keepAlive() + s.text('Hel') + s.text('lo') + end(s, 'Hello', 10),
    );
    expect(events.at(-1)).toEqual({ value: '[DONE]' });
    const chunks = events.slice(0, -1).map(({ value }) => value as Chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: '' },
      { content: 'Hel' },
      { content: 'lo' },
      {},
      undefined,
    ]);
    expect(chunks[4]?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks[5]?.usage).toEqual({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
    expect(new Set(chunks.map((chunk) => chunk.id))).toEqual(new Set(['chatcmpl-abc123']));
  });

  test('reports no usage unless asked', () => {
    expect(streamed((s) => end(s, '', 1), false)).toHaveLength(2);
  });

  test('ends with the calls when Claude called tools, their ids letters and digits', () => {
    const [called, finish] = streamed((s) => end(s, '', 1, calls), false).map(({ value }) => value as Chunk);
    expect(called?.choices[0]?.delta.tool_calls).toEqual([
      {
        index: 0,
        id: 'call1',
        type: 'function',
        function: { name: 'exec', arguments: '{"command":"ls \\"a b\\""}' },
      },
      { index: 1, id: 'tc2', type: 'function', function: { name: 'read', arguments: '{}' } },
    ]);
    expect(finish?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  test('writes nothing after its end', () => {
    const stream = answerStream({ api: 'chat', head, includeUsage: false });
    expect(end(stream, '', 1)).toContain(DONE);
    expect(stream.text('late') + stream.keepAlive() + end(stream, '', 1) + stream.open()).toBe('');
  });

  test('has the shapes that the openai package declares', () => {
    const chunks: Chunk[] = [
      roleChunk(head),
      keepAliveChunk(head),
      usageChunk(head, { input: 1, output: 1 }),
    ];
    expect(chunks).toHaveLength(3);
  });
});

describe('a responses stream', () => {
  interface Event {
    type: string;
    sequence_number: number;
    [field: string]: unknown;
  }
  const streamed = (write: (stream: ReturnType<typeof answerStream>) => string) =>
    decodeSse(write(answerStream({ api: 'responses', head, includeUsage: true }))).map(({ event, value }) => {
      expect(event).toBe((value as Event).type);
      return value as Event;
    });

  test('runs through the events of a text in order, numbered without gaps', () => {
    const events = streamed(
      (s) => s.open() + s.text('Hel') + s.keepAlive() + s.text('lo') + end(s, 'Hello', 4),
    );
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.at(6)?.text).toBe('Hello');
    expect(events.at(-1)?.response).toMatchObject({
      status: 'completed',
      output: [{ type: 'message', content: [{ text: 'Hello' }] }],
      usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    });
  });

  test('carries text and calls as items of their own', () => {
    const events = streamed(
      (s) => s.open() + s.keepAlive() + s.text('Looking.') + end(s, 'Looking.', 4, calls),
    );
    expect(events[1]?.type).toBe('response.in_progress');
    expect(events.at(-1)?.response).toMatchObject({
      output: [
        { type: 'message' },
        {
          type: 'function_call',
          call_id: 'call1',
          arguments: '{"command":"ls \\"a b\\""}',
          status: 'completed',
        },
        { type: 'function_call', call_id: 'tc2' },
      ],
    });
    const added = events.filter(({ type }) => type === 'response.output_item.added');
    expect(added.map((event) => event.output_index)).toEqual([0, 1, 2]);
  });

  test('of calls alone has no empty message, of nothing has one', () => {
    expect(streamed((s) => end(s, '', 1, calls)).at(-1)).toMatchObject({ response: { output: [{}, {}] } });
    expect(streamed((s) => end(s, '', 1)).at(-1)).toMatchObject({
      response: { output: [{ type: 'message', content: [{ text: '' }] }] },
    });
  });
});

test('any sequence of writes gives a stream whose text is what was written', () => {
  const steps = fc.array(fc.oneof(fc.string(), fc.constant(null)));
  fc.assert(
    fc.property(fc.constantFrom('chat' as const, 'responses' as const), steps, (api, writes) => {
      const stream = answerStream({ api, head, includeUsage: true });
      const sent =
        stream.open() +
        writes.map((text) => (text === null ? stream.keepAlive() : stream.text(text))).join('') +
        end(stream, writes.join(''), 1);
      const text = decodeSse(sent)
        .map(({ value }) => {
          const event = value as {
            choices?: { delta?: { content?: string } }[];
            type?: string;
            delta?: string;
          };
          if (event.type === 'response.output_text.delta') return event.delta ?? '';
          return event.choices?.[0]?.delta?.content ?? '';
        })
        .join('');
      expect(text).toBe(writes.filter((each) => each !== null).join(''));
    }),
  );
});

test('a long answer ends in parts that read as one, whatever stands in it', () => {
  const text = fc
    .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('🙂', '\ud83d', '\u2028"\\\n')), {
      maxLength: 9,
    })
    .map((parts) => parts.join('').repeat(4_000));
  fc.assert(
    fc.property(text, (said) => {
      const stream = answerStream({ api: 'responses', head, includeUsage: true });
      const parts = [...stream.finish({ said: stream.text(said) === '' ? '' : said, inputCharacters: 1 })];
      for (const part of parts) expect(part.length).toBeLessThan(500_000);
      const done = decodeSse(parts.join('')).find(
        ({ event }) => event === 'response.output_text.done',
      )?.value;
      expect((done as { text: string } | undefined)?.text === said).toBe(true);
    }),
    { numRuns: runs(30) },
  );
});

describe('an answer in one piece', () => {
  test('has the text, or null beside calls alone', () => {
    const message = (text: string, withCalls: boolean) => {
      const object = answerObject({
        api: 'chat',
        head,
        text,
        calls: withCalls ? calls : [],
        inputCharacters: 1,
      });
      return (object as OpenAI.Chat.ChatCompletion).choices[0];
    };
    expect(message('Hi', false)).toMatchObject({ message: { content: 'Hi' }, finish_reason: 'stop' });
    expect(message('', true)).toMatchObject({ message: { content: null }, finish_reason: 'tool_calls' });
    expect(message('', false)).toMatchObject({ message: { content: '' } });
  });

  test('of the responses API has the same output as its stream ends with', () => {
    const stream = answerStream({ api: 'responses', head, includeUsage: true });
    const last = decodeSse(stream.open() + stream.text('Hi') + end(stream, 'Hi', 8, calls)).at(-1)?.value;
    const object = answerObject({ api: 'responses', head, text: 'Hi', calls, inputCharacters: 8 });
    expect((last as { response: unknown }).response).toEqual(object);
  });

  test('lists the models', () => {
    expect(modelList(['claude'], 5)).toEqual({
      object: 'list',
      data: [{ id: 'claude', object: 'model', created: 5, owned_by: 'synthesis' }],
    });
  });
});

test('usage stays small, whatever was written', () => {
  expect(smallUsage({ input: 0, output: 10_000_000 })).toEqual({ input: 1, output: 2_000 });
});

describe('a tool call id', () => {
  test('is sent as letters and digits', () => {
    expect(wireCallId('toolu_01AB-c')).toBe('toolu01ABc');
    expect(() => wireCallId('__')).toThrow(RangeError);
  });

  test('is recognised as it was, stripped, and wrapped', () => {
    const known = ['calla1', 'tc_2', 'calla12'];
    expect(matchCallId('calla1', known)).toBe('calla1');
    expect(matchCallId('tc2', known)).toBe('tc_2');
    expect(matchCallId('call_calla12_fc_1_0123456789', known)).toBe('calla12');
    expect(matchCallId('call_other_fc_1_0123456789', known)).toBeUndefined();
  });

  test('comes back as itself after both ways of rewriting', () => {
    const id = fc.stringMatching(/^[a-z]{2}[a-z0-9]{14}$/);
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1 }), fc.nat(), (ids, pick) => {
        const one = ids[pick % ids.length] ?? '';
        expect(matchCallId(one, ids)).toBe(one);
        expect(matchCallId(`call_${one}_fc_1_0123456789`, ids)).toBe(one);
      }),
    );
  });
});
