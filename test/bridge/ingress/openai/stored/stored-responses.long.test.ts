import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { hashId } from '../../../../../src/base/digest.ts';
import { letThrough } from '../../../../support/rulings.ts';
import { SmallBridge } from '../../../../support/small-bridge.ts';
import { until } from '../../../../support/until.ts';

const model = 'claude';

/** A client that names no conversation. */
const client = (bridge: SmallBridge, defaultHeaders: Record<string, string> = {}) =>
  new OpenAI({ baseURL: `${bridge.url}/v1`, apiKey: bridge.token, maxRetries: 0, defaultHeaders });

type Refused = Pick<InstanceType<typeof OpenAI.APIError>, 'status' | 'code' | 'param' | 'message'>;

/** A status and what the error says. */
async function refusalOf(request: Promise<unknown>): Promise<unknown> {
  const { status, code, param, message } = await request.then(
    () => ({ status: 200 }) as Refused,
    (error: Refused) => error,
  );
  return { status, code, param, message };
}

const sessions = (bridge: SmallBridge) => bridge.dispatcher.sessions().map(({ key }) => key);
const texts = (bridge: SmallBridge) => bridge.agent.prompts.map(({ prompt }) => prompt.text);

/** Claude calls a tool of the client. */
function callTool(bridge: SmallBridge): void {
  bridge.agent.onPrompt = ({ turn }, { key }) => {
    bridge.agent.take(key, turn);
    bridge.agent.report(key, {
      type: 'tool.call',
      call: 'call1',
      tool: 'weather',
      args: { city: 'Rome' },
      ruling: letThrough,
    });
  };
}

/** The result reached Claude: it says so, and ends. */
async function endTool(bridge: SmallBridge): Promise<void> {
  const { content } = await until('the result', () => bridge.agent.toolAnswers[0]);
  const [{ session, prompt } = { session: { key: '' }, prompt: { turn: '' } }] = bridge.agent.prompts;
  bridge.agent.say(session.key, prompt.turn, `It is ${content}.`);
  bridge.agent.endTurn(session.key, prompt.turn);
}

const tools = [{ type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false }];

/** One response with text, one of whose client nothing is known but the id. */
async function begun(): Promise<{ bridge: SmallBridge; openai: OpenAI; first: OpenAI.Responses.Response }> {
  const bridge = await SmallBridge.start();
  const openai = client(bridge);
  const first = await openai.responses.create({ model, input: 'one' });
  return { bridge, openai, first };
}

test('a response is continued in its own conversation with what is new alone', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const second = await openai.responses.create({ model, input: 'two', previous_response_id: first.id });
  const third = await openai.responses.create({ model, input: 'two', previous_response_id: second.id });
  expect([second.output_text, third.output_text]).toEqual(['You said: two', 'You said: two']);
  expect(third).toMatchObject({ previous_response_id: second.id, store: true, status: 'completed' });
  expect(texts(bridge)).toEqual(['one', 'two', 'two']);
  expect(sessions(bridge)).toHaveLength(1);
});

test('a stream gives the same id from its first event on, and can be continued', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const ids = new Set<string>();
  const stream = await openai.responses.create({
    model,
    input: 'two',
    previous_response_id: first.id,
    stream: true,
  });
  for await (const event of stream) if ('response' in event) ids.add(event.response.id);
  expect(ids.size).toBe(1);
  const [id = ''] = ids;
  expect(await openai.responses.retrieve(id)).toMatchObject({ id, output_text: 'You said: two' });
  await openai.responses.create({ model, input: 'three', previous_response_id: id });
  expect(sessions(bridge)).toHaveLength(1);
});

test('a repeat of a continuation prompts nobody twice and has the same id', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const again = () => openai.responses.create({ model, input: 'two', previous_response_id: first.id });
  const [second, repeated] = [await again(), await again()];
  await openai.responses.create({ model, input: 'three', previous_response_id: second.id });
  const late = await again();
  expect([repeated, late].map(({ id, output_text }) => [id, output_text])).toEqual([
    [second.id, 'You said: two'],
    [second.id, 'You said: two'],
  ]);
  expect(texts(bridge)).toEqual(['one', 'two', 'three']);
});

test('results of tools continue the response that called them', async () => {
  await using bridge = await SmallBridge.start();
  callTool(bridge);
  const openai = client(bridge);
  const asked = await openai.responses.create({ model, input: 'What is the weather?', tools });
  expect(asked.output).toMatchObject([{ type: 'function_call', call_id: 'call1', name: 'weather' }]);
  const result = { type: 'function_call_output' as const, call_id: 'call1', output: 'sunny' };
  const answer = () =>
    openai.responses.create({ model, input: [result], tools, previous_response_id: asked.id });
  const going = answer();
  await endTool(bridge);
  const answered = await going;
  expect(answered.output_text).toBe('It is sunny.');
  expect(answered.id).not.toBe(asked.id);
  const repeated = await answer();
  expect([repeated.id, repeated.output_text]).toEqual([answered.id, 'It is sunny.']);
  expect((await openai.responses.retrieve(asked.id)).output).toEqual(asked.output);
  const items = await openai.responses.inputItems.list(answered.id);
  expect(items.data).toMatchObject([{ type: 'function_call_output', call_id: 'call1', output: 'sunny' }]);
  expect(
    await refusalOf(openai.responses.create({ model, input: 'no', previous_response_id: asked.id })),
  ).toMatchObject({
    status: 400,
    code: 'previous_response_superseded',
    message: expect.stringContaining(answered.id),
  });
});

test('a response that is not the newest cannot be continued, and the words name the one that can', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const second = await openai.responses.create({ model, input: 'two', previous_response_id: first.id });
  const back = openai.responses.create({ model, input: 'other', previous_response_id: first.id });
  expect(await refusalOf(back)).toEqual({
    status: 400,
    code: 'previous_response_superseded',
    param: 'previous_response_id',
    message: `400 The conversation went on after response "${first.id}", and Claude Code cannot go back. Nothing was started; continue ${second.id}, or send the whole input without previous_response_id.`,
  });
  expect(texts(bridge)).toEqual(['one', 'two']);
});

test('what nobody stored cannot be continued or read, and the conversation that went on with it neither', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const second = await openai.responses.create({
    model,
    input: 'two',
    previous_response_id: first.id,
    store: false,
  });
  expect(second).toMatchObject({ store: false });
  const on = (id: string) =>
    refusalOf(openai.responses.create({ model, input: 'x', previous_response_id: id }));
  expect(await on(second.id)).toMatchObject({
    code: 'previous_response_not_found',
    message: expect.stringContaining('`store` was false'),
  });
  expect(await on(first.id)).toMatchObject({
    code: 'previous_response_superseded',
    message: expect.stringContaining('Nothing was started; send the whole input'),
  });
  expect(await refusalOf(openai.responses.retrieve(second.id))).toMatchObject({ status: 404 });
});

test.each(['resp_1', 'nonsense', `resp_${'0'.repeat(47)}`, '../../etc'])(
  'an unknown id leads nowhere: %s',
  async (id) => {
    const { bridge, openai } = await begun();
    await using _ = bridge;
    const on = openai.responses.create({ model, input: 'x', previous_response_id: id });
    expect(await refusalOf(on)).toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
      message: expect.stringContaining('send the whole input without previous_response_id'),
    });
    expect(await refusalOf(openai.responses.retrieve(id))).toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
    expect(texts(bridge)).toEqual(['one']);
  },
);

test('no part of an id opens another conversation', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const key = sessions(bridge)[0] ?? '';
  const [turn] = bridge.dispatcher.session(key)?.turns ?? [];
  const guesses = [first.id.slice(0, -1), `${first.id}0`, first.id.slice(0, 36), `resp_${turn?.id}`];
  for (const guess of guesses)
    expect(await refusalOf(openai.responses.retrieve(guess))).toMatchObject({ status: 404 });
});

test('an id as an earlier build made it is known', async () => {
  const { bridge, openai } = await begun();
  await using _ = bridge;
  const key = sessions(bridge)[0] ?? '';
  const turn = bridge.dispatcher.session(key)?.turns[0]?.id ?? '';
  const response = `${hashId(key)}${turn}${hashId('its request')}`;
  bridge.dispatcher.dispatch(key, { type: 'response.open', response, turn, model, input: [] });
  expect(await openai.responses.retrieve(`resp_${response}`)).toMatchObject({ id: `resp_${response}` });
});

test('without the token nothing of a response is said', async () => {
  const { bridge, first } = await begun();
  await using _ = bridge;
  const statuses = await Promise.all(
    [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/input_items'],
      ['POST', '/cancel'],
    ].map(async ([method = '', path]) => {
      const response = await fetch(`${bridge.url}/v1/responses/${first.id}${path}`, { method });
      return response.status;
    }),
  );
  expect(statuses).toEqual([401, 401, 401, 401]);
});

test('a header that names another conversation than the response is refused; the same one is not', async () => {
  await using bridge = await SmallBridge.start();
  const input = { model, input: 'one' };
  const first = await client(bridge, { 'x-synthesis-session': 'a' }).responses.create(input);
  const next = { model, input: 'two', previous_response_id: first.id };
  const elsewhere = client(bridge, { 'x-synthesis-session': 'b' }).responses.create(next);
  expect(await refusalOf(elsewhere)).toMatchObject({ status: 400, code: 'previous_response_elsewhere' });
  await client(bridge, { 'x-synthesis-session': 'a' }).responses.create(next);
  await client(bridge)
    .responses.create({ ...next, input: 'three' })
    .catch(() => {});
  expect(sessions(bridge)).toEqual(['a']);
  expect(texts(bridge)).toEqual(['one', 'two']);
});

test('a forgotten conversation takes its responses along', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  bridge.dispatcher.dispatch(sessions(bridge)[0] ?? '', { type: 'session.remove' });
  const on = openai.responses.create({ model, input: 'x', previous_response_id: first.id });
  expect(await refusalOf(on)).toMatchObject({
    code: 'previous_response_not_found',
    message: expect.stringContaining('Its conversation was forgotten.'),
  });
  expect(await refusalOf(openai.responses.retrieve(first.id))).toMatchObject({ status: 404 });
});

test('a Claude that began anew is not passed off as the one that gave the response', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const key = sessions(bridge)[0] ?? '';
  const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
  bridge.dispatcher.dispatch(key, { type: 'session.renew', claude: 'fresh', launch });
  const on = openai.responses.create({ model, input: 'x', previous_response_id: first.id });
  expect(await refusalOf(on)).toMatchObject({ code: 'previous_response_superseded' });
});

test('a deleted response is gone for its client', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const gone = await fetch(`${bridge.url}/v1/responses/${first.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${bridge.token}` },
  });
  expect(await gone.json()).toEqual({ id: first.id, object: 'response', deleted: true });
  expect(await refusalOf(openai.responses.retrieve(first.id))).toMatchObject({
    status: 404,
    message: expect.stringContaining('It was deleted.'),
  });
  const on = openai.responses.create({ model, input: 'x', previous_response_id: first.id });
  expect(await refusalOf(on)).toMatchObject({ code: 'previous_response_not_found' });
});

test('a stored response is the one that was given, with what it was asked', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const { output_text: given, ...whole } = first;
  const { output_text: kept, ...stored } = await openai.responses.retrieve(first.id);
  expect([kept, stored]).toEqual([given, whole]);
  const items = await openai.responses.inputItems.list(first.id);
  expect(items.data).toMatchObject([{ type: 'message', role: 'user', content: [{ text: 'one' }] }]);
});

test('a response is in progress until its turn ends, also when its client has gone', async () => {
  await using bridge = await SmallBridge.start();
  bridge.agent.onPrompt = (prompt, { key }) => {
    bridge.agent.take(key, prompt.turn);
    bridge.agent.say(key, prompt.turn, 'half');
  };
  const openai = client(bridge);
  const stream = await openai.responses.create({ model, input: 'one', stream: true });
  let id = '';
  for await (const event of stream) {
    if (event.type === 'response.created') id = event.response.id;
    if (event.type === 'response.output_text.delta') break;
  }
  expect(await openai.responses.retrieve(id)).toMatchObject({ status: 'in_progress', output: [] });
  const [{ session, prompt } = { session: { key: '' }, prompt: { turn: '' } }] = bridge.agent.prompts;
  bridge.agent.say(session.key, prompt.turn, ' and whole', 'm', 1);
  bridge.agent.endTurn(session.key, prompt.turn);
  expect(await openai.responses.retrieve(id)).toMatchObject({
    status: 'completed',
    output_text: 'half and whole',
  });
});

test('a cancelled response stops Claude; one that is over cannot be cancelled', async () => {
  await using bridge = await SmallBridge.start();
  bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
  const openai = client(bridge);
  const stream = await openai.responses.create({ model, input: 'one', stream: true });
  const events = stream[Symbol.asyncIterator]();
  const { value: opened } = await events.next();
  const id = opened?.type === 'response.created' ? opened.response.id : '';
  const cancelled = await openai.responses.cancel(id);
  expect(cancelled).toMatchObject({ id, status: 'cancelled' });
  await until('the interrupt', () => bridge.agent.interrupted[0]);
  expect(await openai.responses.cancel(id)).toMatchObject({ status: 'cancelled' });
  stream.controller.abort();
  const second = await client(bridge, { 'x-synthesis-session': 'other' }).responses.retrieve(id);
  expect(second.status).toBe('cancelled');
  bridge.agent.onPrompt = (prompt, { key }) => {
    bridge.agent.take(key, prompt.turn);
    bridge.agent.endTurn(key, prompt.turn, 'done');
  };
  const other = await openai.responses.create({ model, input: 'something else' });
  expect(await refusalOf(openai.responses.cancel(other.id))).toMatchObject({
    status: 400,
    code: 'response_over',
  });
});

test('words of the bridge that answer a continuation can be continued, too', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  await bridge.panic.panic({});
  const words = await openai.responses.create({ model, input: 'two', previous_response_id: first.id });
  expect(await openai.responses.retrieve(words.id)).toMatchObject({ output_text: words.output_text });
  await bridge.panic.resume({});
  const third = await openai.responses.create({ model, input: 'three', previous_response_id: words.id });
  expect(third.output_text).toBe('You said: three');
  expect(sessions(bridge)).toHaveLength(1);
});

test('words of the bridge leave what they answered where it was: it can be sent again', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const two = () => openai.responses.create({ model, input: 'two', previous_response_id: first.id });
  await bridge.panic.panic({});
  await two();
  await bridge.panic.resume({});
  expect((await two()).output_text).toBe('You said: two');
});

test('items that stand for what was said lead to their conversation, and are not said again', async () => {
  const { bridge, openai, first } = await begun();
  await using _ = bridge;
  const item = first.output[0]?.id ?? '';
  const two = await openai.responses.create({
    model,
    input: [
      { role: 'user', content: 'words that no conversation began with' },
      { type: 'item_reference', id: item },
      { role: 'user', content: 'two' },
    ],
  });
  expect(two.output_text).toBe('You said: two');
  expect(sessions(bridge)).toHaveLength(1);
});
