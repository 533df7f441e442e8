import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { letThrough } from '../../../support/rulings.ts';
import { shown } from '../../../support/shown.ts';
import { SmallBridge } from '../../../support/small-bridge.ts';
import { until } from '../../../support/until.ts';

const hi = { model: 'claude', messages: [{ role: 'user', content: 'hi' }] };

const client = (bridge: SmallBridge, session = 's1') =>
  new OpenAI({
    baseURL: `${bridge.url}/v1`,
    apiKey: bridge.token,
    maxRetries: 0,
    defaultHeaders: { 'x-synthesis-session': session },
  });

const textOf = (events: string): string =>
  [...events.matchAll(/^data: (\{.*)$/gm)]
    .map(([, json = '']) => (JSON.parse(json) as OpenAI.ChatCompletionChunk).choices[0]?.delta.content ?? '')
    .join('');

async function contentOf(response: Response): Promise<string> {
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? '';
}

test('a client gets deltas while Claude is still writing', async () => {
  await using bridge = await SmallBridge.start();
  bridge.agent.onPrompt = (prompt, { key }) => {
    bridge.agent.take(key, prompt.turn);
    bridge.agent.say(key, prompt.turn, 'first line\n');
  };
  const stream = await client(bridge).chat.completions.create({ ...hi, stream: true } as never);
  const texts: string[] = [];
  let finish: string | null = null;
  for await (const chunk of stream as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>) {
    const choice = chunk.choices[0];
    if (choice?.delta.content) texts.push(choice.delta.content);
    finish = choice?.finish_reason ?? finish;
    const turn = bridge.agent.prompts[0]?.prompt.turn ?? '';
    if (choice?.delta.content === 'first line\n') {
      bridge.agent.say('s1', turn, 'second line', 'm', 1);
      bridge.agent.endTurn('s1', turn, 'first line\nsecond line');
    }
  }
  expect([texts, finish]).toEqual([['first line\n', 'second line'], 'stop']);
});

test('a client that wants no stream gets one object with the whole answer', async () => {
  await using bridge = await SmallBridge.start();
  const answer = await client(bridge).chat.completions.create(hi as never);
  expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'You said: hi' } });
});

test('the Responses API is answered with the same text', async () => {
  await using bridge = await SmallBridge.start();
  const answer = await client(bridge).responses.create({ model: 'claude', input: 'hi' });
  expect(answer.output_text).toBe('You said: hi');
});

test('messages of one conversation go to one Claude session, in order, one at a time', async () => {
  await using bridge = await SmallBridge.start();
  const answer = bridge.agent.onPrompt;
  bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
  const first = client(bridge).chat.completions.create(hi as never);
  await until('the first prompt', () => bridge.agent.prompts[0]);
  const second = client(bridge).chat.completions.create({
    model: 'claude',
    messages: [{ role: 'user', content: 'and then?' }],
  });
  await until('the second message', () => bridge.dispatcher.session('s1')?.turns[1]);
  expect(bridge.agent.prompts).toHaveLength(1);
  bridge.agent.onPrompt = answer;
  const turn = bridge.agent.prompts[0]?.prompt.turn ?? '';
  bridge.agent.say('s1', turn, 'one');
  bridge.agent.endTurn('s1', turn);
  expect((await first).choices[0]?.message.content).toBe('one');
  expect((await second).choices[0]?.message.content).toBe('You said: and then?');
  expect(new Set(bridge.agent.prompts.map(({ session }) => session.claude)).size).toBe(1);
  expect(bridge.agent.prompts.map(({ session }) => session.resume)).toEqual([false, true]);
});

test('a tool call ends the response, and its result lets Claude go on in the next one', async () => {
  await using bridge = await SmallBridge.start();
  bridge.agent.onPrompt = (prompt, { key }) => {
    bridge.agent.take(key, prompt.turn);
    bridge.agent.say(key, prompt.turn, 'Let me look.');
    for (const call of ['c1', 'c2']) {
      bridge.agent.report(key, {
        type: 'tool.call',
        call,
        tool: 'read',
        args: { path: call },
        ruling: letThrough,
      });
    }
  };
  const tools = [{ type: 'function' as const, function: { name: 'read', parameters: { type: 'object' } } }];
  const asked = await client(bridge).chat.completions.create({ ...hi, tools } as never);
  const message = asked.choices[0]?.message;
  expect(asked.choices[0]?.finish_reason).toBe('tool_calls');
  expect(message?.content).toBe('Let me look.');
  expect(message?.tool_calls?.map((call) => call.id)).toEqual(['c1', 'c2']);
  const results = ['c1', 'c2'].map((id) => ({ role: 'tool', tool_call_id: id, content: `result of ${id}` }));
  const going = client(bridge).chat.completions.create({
    model: 'claude',
    tools,
    messages: [...hi.messages, message, ...results],
  } as never);
  await until('both results', () => bridge.agent.toolAnswers.length === 2);
  const turn = bridge.agent.prompts[0]?.prompt.turn ?? '';
  bridge.agent.say('s1', turn, 'Both are there.', 'm2');
  bridge.agent.endTurn('s1', turn);
  expect((await going).choices[0]?.message.content?.trim()).toBe('Both are there.');
  expect(bridge.agent.prompts).toHaveLength(1);
  expect(bridge.agent.tools.map((tool) => tool.name)).toEqual(['read']);
});

describe('a tool call without a result', () => {
  const tools = [{ type: 'function' as const, function: { name: 'read', parameters: { type: 'object' } } }];
  const call = (id: string) =>
    ({ type: 'tool.call', call: id, tool: 'read', args: { path: id }, ruling: letThrough }) as const;

  /** A conversation whose first response ended with the call c1. */
  async function asked(): Promise<SmallBridge> {
    const bridge = await SmallBridge.start();
    bridge.agent.onPrompt = (prompt, { key }) => {
      bridge.agent.take(key, prompt.turn);
      bridge.agent.report(key, call('c1'));
    };
    const first = await client(bridge).chat.completions.create({ ...hi, tools } as never);
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    bridge.agent.onPrompt = (prompt, { key }) => {
      bridge.agent.take(key, prompt.turn);
      bridge.agent.say(key, prompt.turn, `You said: ${prompt.text}`, 'm2');
      bridge.agent.endTurn(key, prompt.turn);
    };
    return bridge;
  }
  const create = (bridge: SmallBridge, content: string, headers = {}) =>
    client(bridge).chat.completions.create(
      { model: 'claude', tools, messages: [{ role: 'user', content }] } as never,
      { headers },
    );
  /** What Claude writes once its call has come back. */
  function goOn(bridge: SmallBridge): void {
    const turn = bridge.agent.prompts[0]?.prompt.turn ?? '';
    bridge.agent.say('s1', turn, 'Without it, then.');
    bridge.agent.endTurn('s1', turn);
  }

  test('is over with the next message: Claude is told so, goes on, and the message follows', async () => {
    await using bridge = await asked();
    const next = create(bridge, 'never mind');
    const [answer] = await until(
      'the call to come back',
      () => bridge.agent.toolAnswers.length && bridge.agent.toolAnswers,
    );
    expect(answer).toMatchObject({
      call: 'c1',
      ok: false,
      content:
        'Nobody ran this: the next message came without its result. That message reaches you when you are done.',
    });
    goOn(bridge);
    const { message, finish_reason } = (await next).choices[0] ?? {};
    expect(finish_reason).toBe('stop');
    expect(message?.content).toMatch(/Without it, then\.\n\nYou said: never mind$/);
  });

  test('is over with the same words, too, which start no second turn', async () => {
    await using bridge = await asked();
    const next = create(bridge, 'hi');
    await until('the call to come back', () => bridge.agent.toolAnswers[0]);
    goOn(bridge);
    expect((await next).choices[0]?.message.content).toBe('Without it, then.');
    expect(bridge.agent.prompts).toHaveLength(1);
  });

  test('stays open when the request says that it is a retry', async () => {
    await using bridge = await asked();
    const again = await create(bridge, 'hi', { 'x-stainless-retry-count': '1' });
    expect(again.choices[0]?.message.tool_calls?.map(({ id }) => id)).toEqual(['c1']);
    expect(bridge.agent.toolAnswers).toEqual([]);
  });

  test('stays open when the client has not seen it', async () => {
    await using bridge = await SmallBridge.start();
    bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
    const gone = new AbortController();
    const first = bridge.post(
      { ...hi, tools },
      { headers: { 'x-synthesis-session': 's1' }, signal: gone.signal },
    );
    await until('the prompt', () => bridge.agent.prompts[0]);
    gone.abort();
    await expect(first).rejects.toThrow();
    bridge.agent.report('s1', call('c1'));
    const next = await create(bridge, 'and?');
    expect(next.choices[0]?.message.tool_calls?.map(({ id }) => id)).toEqual(['c1']);
    expect(bridge.agent.toolAnswers).toEqual([]);
  });
});

describe('permissions', () => {
  const ask = (bridge: SmallBridge, key: string) =>
    bridge.agent.report(key, {
      type: 'permission.ask',
      code: 'abcde',
      tool: 'Bash',
      input: { command: 'ls' },
      expires_at: Date.now() + 60_000,
    });

  test('a question ends the response, the verdict is read from the next message, and the answer goes on', async () => {
    await using bridge = await SmallBridge.start();
    bridge.agent.onPrompt = (prompt, { key }) => {
      bridge.agent.take(key, prompt.turn);
      ask(bridge, key);
    };
    const question = await client(bridge).chat.completions.create(hi as never);
    expect(question.choices[0]?.message.content).toContain('Reply `yes abcde` or `no abcde`');
    const going = client(bridge).chat.completions.create({
      model: 'claude',
      messages: [...hi.messages, question.choices[0]?.message, { role: 'user', content: 'Yes ABCDE' }],
    } as never);
    await until('the verdict', () => bridge.agent.permissions[0]);
    const turn = bridge.agent.prompts[0]?.prompt.turn ?? '';
    bridge.agent.say('s1', turn, 'done');
    bridge.agent.endTurn('s1', turn);
    expect((await going).choices[0]?.message.content).toBe('done');
    expect(bridge.agent.permissions).toMatchObject([{ code: 'abcde', verdict: 'allow' }]);
  });

  test('any other message is a message: it waits, and its sender is told for what', async () => {
    await using bridge = await SmallBridge.start();
    bridge.agent.onPrompt = (prompt, { key }) => {
      bridge.agent.take(key, prompt.turn);
      ask(bridge, key);
    };
    await client(bridge).chat.completions.create(hi as never);
    const other = await client(bridge).chat.completions.create({
      model: 'claude',
      messages: [{ role: 'user', content: 'what is abcde, yes?' }],
    });
    expect(other.choices[0]?.message.content).toContain('Claude waits for an answer to `abcde` (Bash)');
    expect([bridge.agent.permissions, bridge.agent.prompts.length]).toEqual([[], 1]);
  });

  test('an answer that nobody read is delivered with the next message of the conversation', async () => {
    await using bridge = await SmallBridge.start();
    bridge.agent.onPrompt = (prompt, { key }) => {
      bridge.agent.take(key, prompt.turn);
      ask(bridge, key);
    };
    await client(bridge).chat.completions.create(hi as never);
    bridge.dispatcher.dispatch('s1', {
      type: 'permission.decide',
      code: 'abcde',
      verdict: 'allow',
      by: 'cli',
      ...shown(bridge.dispatcher.session('s1'), 'abcde'),
    });
    const turn = bridge.agent.prompts[0]?.prompt.turn ?? '';
    bridge.agent.say('s1', turn, 'the late answer');
    bridge.agent.endTurn('s1', turn);
    bridge.agent.onPrompt = (prompt, { key }) => {
      bridge.agent.take(key, prompt.turn);
      bridge.agent.say(key, prompt.turn, 'the new answer');
      bridge.agent.endTurn(key, prompt.turn);
    };
    const next = await client(bridge).chat.completions.create({
      model: 'claude',
      messages: [{ role: 'user', content: 'next' }],
    });
    expect(next.choices[0]?.message.content).toMatch(/the late answer\n\nthe new answer$/);
  });
});

describe('repeats', () => {
  test('a message that is sent again while Claude works joins the turn instead of prompting twice', async () => {
    await using bridge = await SmallBridge.start();
    bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
    const aborted = new AbortController();
    const first = bridge.post(hi, { headers: { 'x-synthesis-session': 's1' }, signal: aborted.signal });
    await until('the prompt', () => bridge.agent.prompts[0]);
    aborted.abort();
    await expect(first).rejects.toThrow();
    const again = bridge.post(hi, {
      headers: { 'x-synthesis-session': 's1', 'x-stainless-retry-count': '1' },
    });
    const turn = bridge.agent.prompts[0]?.prompt.turn ?? '';
    bridge.agent.say('s1', turn, 'only once');
    bridge.agent.endTurn('s1', turn);
    expect(await contentOf(await again)).toBe('only once');
    expect(bridge.agent.prompts).toHaveLength(1);
  });

  test.each([false, true])(
    'an equal message after an answer that was read is a new message, and nothing old comes with it (stream: %s)',
    async (stream) => {
      await using bridge = await SmallBridge.start();
      let count = 0;
      bridge.agent.onPrompt = (prompt, { key }) => {
        bridge.agent.take(key, prompt.turn);
        count += 1;
        bridge.agent.say(key, prompt.turn, `answer ${count}`);
        bridge.agent.endTurn(key, prompt.turn);
      };
      for (const answer of ['answer 1', 'answer 2', 'answer 3']) {
        const response = await bridge.post({ ...hi, stream }, { headers: { 'x-synthesis-session': 's1' } });
        const text = stream ? textOf(await response.text()) : await contentOf(response);
        expect(text).toBe(answer);
      }
      expect(bridge.agent.prompts).toHaveLength(3);
    },
  );

  test('a retry of an answer that was read is answered with the same words', async () => {
    await using bridge = await SmallBridge.start();
    const headers = { 'x-synthesis-session': 's1', 'idempotency-key': 'k1' };
    const first = await contentOf(await bridge.post(hi, { headers }));
    expect(await contentOf(await bridge.post(hi, { headers }))).toBe(first);
    expect(bridge.agent.prompts).toHaveLength(1);
  });
});

describe('conversations without a name that begin with the same words', () => {
  const ask = async (bridge: SmallBridge, ...texts: string[]) => {
    const messages = texts.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
    return contentOf(await bridge.post({ model: 'claude', messages }));
  };
  /** Each answer says which of the conversations wrote it. */
  async function started(): Promise<SmallBridge> {
    const bridge = await SmallBridge.start();
    bridge.agent.onPrompt = (prompt, { key }) => {
      bridge.agent.take(key, prompt.turn);
      bridge.agent.say(key, prompt.turn, `${key.slice(22) || '.1'} ${prompt.text}`);
      bridge.agent.endTurn(key, prompt.turn);
    };
    return bridge;
  }

  test('are two, and each goes on where its history is', async () => {
    await using bridge = await started();
    expect(await ask(bridge, 'hi')).toBe('.1 hi');
    expect(await ask(bridge, 'hi')).toBe('.2 hi');
    expect(await ask(bridge, 'hi', '.1 hi', 'cats?')).toBe('.1 cats?');
    expect(await ask(bridge, 'hi', '.2 hi', 'dogs?')).toBe('.2 dogs?');
    expect(await ask(bridge, 'hi', '.1 hi', 'cats?', '.1 cats?', 'and?')).toBe('.1 and?');
    expect(await ask(bridge, 'hi', 'an edited answer', 'cats?', 'another one', 'more')).toBe('.1 more');
    expect(await ask(bridge, 'hi', 'nobody said that', 'what?')).toBe('.2 what?');
    expect(bridge.dispatcher.sessions()).toHaveLength(2);
  });

  test('are told apart by what was said to them where Claude gave them the same answer', async () => {
    await using bridge = await started();
    bridge.agent.onPrompt = (prompt, { key }) => {
      bridge.agent.take(key, prompt.turn);
      bridge.agent.say(key, prompt.turn, 'Hello!');
      bridge.agent.endTurn(key, prompt.turn);
    };
    await ask(bridge, 'hi');
    await ask(bridge, 'hi', 'Hello!', 'cats?');
    await ask(bridge, 'hi');
    await ask(bridge, 'hi', 'Hello!', 'dogs?');
    await ask(bridge, 'hi', 'Hello!', 'cats?', 'Hello!', 'and?');
    const told = bridge.dispatcher.sessions().map(({ turns }) => turns.map(({ text }) => text));
    expect(told).toEqual([
      ['hi', 'cats?', 'and?'],
      ['hi', 'dogs?'],
    ]);
  });

  test('are one while nobody has read its answer', async () => {
    await using bridge = await started();
    bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
    const gone = new AbortController();
    const first = bridge.post(hi, { signal: gone.signal });
    const { session, prompt } = await until('the prompt', () => bridge.agent.prompts[0]);
    gone.abort();
    await expect(first).rejects.toThrow();
    (await until('nobody to read it', () => bridge.readers.hold(prompt.turn, 1_000)))();
    const again = ask(bridge, 'hi');
    bridge.agent.say(session.key, prompt.turn, 'once');
    bridge.agent.endTurn(session.key, prompt.turn);
    expect(await again).toBe('once');
    expect(bridge.dispatcher.sessions()).toHaveLength(1);
  });

  test('go on with the result of a call where it was made', async () => {
    await using bridge = await SmallBridge.start();
    const tools = [{ type: 'function' as const, function: { name: 'read', parameters: { type: 'object' } } }];
    bridge.agent.onPrompt = (prompt, { key }) => {
      bridge.agent.take(key, prompt.turn);
      bridge.agent.report(key, {
        type: 'tool.call',
        call: `c${key.length}`,
        tool: 'read',
        args: {},
        ruling: letThrough,
      });
    };
    const first = await bridge.post({ ...hi, tools });
    const { choices } = (await first.json()) as OpenAI.ChatCompletion;
    const result = { role: 'tool', tool_call_id: choices[0]?.message.tool_calls?.[0]?.id, content: 'red' };
    const going = bridge.post({ ...hi, tools, messages: [...hi.messages, choices[0]?.message, result] });
    await until('the result', () => bridge.agent.toolAnswers[0]);
    const [{ session, prompt } = { session: { key: '' }, prompt: { turn: '' } }] = bridge.agent.prompts;
    bridge.agent.say(session.key, prompt.turn, 'It is red.');
    bridge.agent.endTurn(session.key, prompt.turn);
    expect(await contentOf(await going)).toBe('It is red.');
  });
});

test('trouble of Claude is told as an answer, never as an HTTP error that a hub would retry', async () => {
  await using bridge = await SmallBridge.start();
  bridge.agent.onPrompt = (_, { key }) => {
    bridge.agent.report(key, { type: 'agent.starting' });
    bridge.agent.report(key, { type: 'agent.exited', failure: 'claude_not_found', detail: 'no such file' });
  };
  const answer = await client(bridge).chat.completions.create(hi as never);
  expect(answer.choices[0]?.finish_reason).toBe('stop');
  expect(answer.choices[0]?.message.content).toContain('Claude Code was not found');
});

test('a silent stream is kept alive with data chunks', async () => {
  await using bridge = await SmallBridge.start({ keepAliveMs: 5 });
  bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
  const response = await bridge.post({ ...hi, stream: true }, { headers: { 'x-synthesis-session': 's1' } });
  let chunks = 0;
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    chunks += chunk.split('"content":""').length - 1;
    if (chunks > 3) break;
  }
  expect(chunks).toBeGreaterThan(3);
});

describe('refusals', () => {
  const cases: [string, number, string, (bridge: SmallBridge) => Promise<Response>][] = [
    ['no token', 401, 'missing_api_key', (b) => b.post(hi, { headers: { authorization: '' } })],
    ['a wrong token', 401, 'invalid_api_key', (b) => b.post(hi, { headers: { authorization: 'Bearer no' } })],
    ['malformed JSON', 400, 'invalid_json', (b) => b.post('{"model":')],
    ['an empty body', 400, 'invalid_json', (b) => b.post('')],
    ['a list', 400, 'invalid_json', (b) => b.post('[]')],
    ['__proto__', 400, 'invalid_json', (b) => b.post('{"__proto__":{"a":1},"model":"claude"}')],
    ['no messages', 400, 'invalid_request', (b) => b.post({ model: 'claude', messages: [] })],
    ['a missing model', 400, 'invalid_request', (b) => b.post({ messages: hi.messages })],
    ['an unknown model', 404, 'model_not_found', (b) => b.post({ ...hi, model: 'gpt-9' })],
    ['n above 1', 400, 'invalid_request', (b) => b.post({ ...hi, n: 2 })],
    [
      'nothing new',
      400,
      'invalid_request',
      (b) => b.post({ model: 'claude', messages: [{ role: 'system', content: 'x' }] }),
    ],
    ['a body over the limit', 413, 'body_too_large', (b) => b.post({ ...hi, pad: 'x'.repeat(5_000) })],
    [
      'plain text',
      415,
      'unsupported_media_type',
      (b) => b.post(hi, { headers: { 'content-type': 'text/plain' } }),
    ],
    ['a web page', 403, 'origin_refused', (b) => b.post(hi, { headers: { origin: 'http://evil.example' } })],
  ];

  test.each(cases)('%s is refused with %i %s and starts nothing', async (_, status, code, send) => {
    await using bridge = await SmallBridge.start({ bodyBytes: 4_096 });
    const response = await send(bridge);
    const body = (await response.json()) as { error: { message: string; type: string; code: string } };
    expect([response.status, body.error.code]).toEqual([status, code]);
    expect(body.error.message.length).toBeGreaterThan(10);
    expect(body.error.type).toMatch(/_error$/);
    expect(bridge.agent.prompts).toEqual([]);
  });

  test.each(['evil.example', '127.0.0.1.nip.io', 'localhost.', '127.0.0.1', '0.0.0.0:1', ''])(
    'the Host %j is refused before anything is looked at',
    async (host) => {
      await using bridge = await SmallBridge.start();
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const request = httpRequest(
        `${bridge.url}/v1/models`,
        { setHost: false, headers: { host } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      request.on('error', reject).end();
      expect([400, 421]).toContain(await promise);
    },
  );

  test('unknown fields are tolerated', async () => {
    await using bridge = await SmallBridge.start();
    const response = await bridge.post({ ...hi, frequency_penalty: 1, surprise: { deep: [] } });
    expect(response.status).toBe(200);
  });

  test('while the bridge stops, clients are asked to come back', async () => {
    await using bridge = await SmallBridge.start();
    bridge.draining = true;
    const response = await bridge.post(hi);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  });
});

test.each(['/v1/models', '/v1/models/claude'])('%s is for whoever has the token', async (path) => {
  await using bridge = await SmallBridge.start();
  const refused = await fetch(`${bridge.url}${path}`);
  expect([refused.status, await refused.text()]).toEqual([401, expect.not.stringContaining('"claude"')]);
  const headers = { authorization: `Bearer ${bridge.token}` };
  const told = await (await fetch(`${bridge.url}${path}`, { headers })).text();
  expect(told).toContain('"id":"claude"');
});

test.each([
  ['GET', '/v1/chat/completions', 405, 'method_not_allowed', 'POST'],
  ['PUT', '/v1/responses/r_1?order=asc', 405, 'method_not_allowed', 'GET, DELETE'],
  ['GET', '/v1/warm', 405, 'method_not_allowed', 'POST'],
  ['GET', '/v1/responses/%zz', 404, 'not_found', null],
  ['POST', '/chat/completions?x=1', 404, 'not_found', null],
])('%s %s is refused in the shape OpenAI clients know', async (method, path, status, code, allow) => {
  await using bridge = await SmallBridge.start();
  const response = await fetch(`${bridge.url}${path}`, { method });
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  expect([response.status, error.code, response.headers.get('allow')]).toEqual([status, code, allow]);
  if (status === 404)
    expect(error.message).toMatch(
      /^\S+ [^ ?]+ is not served here\. These are: POST \/v1\/chat\/completions, .*GET \/v1\/models, .*\/v1\/warm\.$/,
    );
});

test('a model is found by each of its names, and what is none is said to be none', async () => {
  await using bridge = await SmallBridge.start();
  const { models } = client(bridge);
  for (const id of ['claude', 'claude-main', 'synthesis/claude'])
    expect(await models.retrieve(id)).toEqual({
      id,
      object: 'model',
      owned_by: 'synthesis',
      created: expect.any(Number),
    });
  await expect(models.retrieve('gpt-5')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  expect(await (await bridge.post({}, { path: 'models/claude' })).json()).toMatchObject({
    error: { code: 'method_not_allowed' },
  });
});

test('where a message of a chat came from is kept with its turn: channel, chat, topic and account', async () => {
  await using bridge = await SmallBridge.start();
  const file = new URL('../../../fixtures/openai/runner-retry-in-group.json', import.meta.url);
  const inTopic = (_: string, value: unknown) =>
    typeof value === 'string' ? value.replace('\\"message_id', '\\"topic_id\\":7,\\"message_id') : value;
  const { body } = JSON.parse(readFileSync(file, 'utf8'), inTopic) as { body: object };
  const response = await bridge.post({ ...body, stream: false });
  expect(response.status).toBe(200);
  await response.text();
  expect(bridge.dispatcher.sessions()[0]?.turns[0]?.meta).toEqual({
    source_channel: 'telegram',
    source_chat: 'telegram:-100555',
    source_thread: '7',
    source_account: 'default',
    chat_type: 'group',
  });
});
