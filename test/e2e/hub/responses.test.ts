// `/v1/responses` with `previous_response_id` over the built program: ids are found again by a bridge that was killed.
import { readFileSync } from 'node:fs';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

/** Names no conversation. */
const client = ({ at }: RunningBridge) =>
  new OpenAI({
    baseURL: `${at.url}/v1`,
    apiKey: readFileSync(at.token_file, 'utf8').trim(),
    maxRetries: 0,
  });

const create = (bridge: RunningBridge, input: string, previous_response_id?: string) =>
  client(bridge).responses.create({
    model: 'claude',
    input,
    ...(previous_response_id !== undefined && { previous_response_id }),
  });

const rowsOf = async (home: Home): Promise<unknown[]> =>
  JSON.parse((await home.command('ps', '--json')).stdout);

test('a conversation goes on by its responses after the bridge was killed, and no answer changes', async () => {
  await using home = new Home();
  const before = await home.up();
  const first = await create(before, 'my name is Ada');
  const second = await create(before, 'say hello', first.id);
  const other = await create(before, 'another conversation');
  await before.kill();

  const bridge = await home.up();
  const { output_text, ...kept } = await client(bridge).responses.retrieve(second.id);
  const { output_text: given, ...whole } = second;
  expect([output_text, kept]).toEqual([given, whole]);
  const repeated = await create(bridge, 'say hello', first.id);
  expect([repeated.id, repeated.output_text]).toEqual([second.id, second.output_text]);
  const third = await create(bridge, 'and again', second.id);
  expect(third.status).toBe('completed');
  expect(await rowsOf(home)).toHaveLength(2);

  await expect(create(bridge, 'back', first.id)).rejects.toMatchObject({
    status: 400,
    code: 'previous_response_superseded',
  });
  await client(bridge).responses.delete(other.id);
  await bridge.kill();
  const last = await home.up();
  await expect(client(last).responses.retrieve(other.id)).rejects.toMatchObject({ status: 404 });
  await expect(create(last, 'on', other.id)).rejects.toMatchObject({ code: 'previous_response_not_found' });
  expect((await client(last).responses.inputItems.list(third.id)).data).toMatchObject([
    { role: 'user', content: [{ text: 'and again' }] },
  ]);
});

test('an answer that was left unfinished when bridge and Claude Code were killed is a failed response, in words, and is continued', async () => {
  await using home = new Home();
  const before = await home.up();
  const stream = await client(before).responses.create({ model: 'claude', input: '[[hang]]', stream: true });
  const { value: opened } = await stream[Symbol.asyncIterator]().next();
  const id = opened?.type === 'response.created' ? opened.response.id : '';
  await until('Claude to have it', async () =>
    (await home.command('logs', '--json')).stdout.includes('"turn.running"'),
  );
  expect(await client(before).responses.retrieve(id)).toMatchObject({ status: 'in_progress' });
  await before.kill();
  await home.killHosts();

  const bridge = await home.up();
  expect(await client(bridge).responses.retrieve(id)).toMatchObject({
    status: 'failed',
    error: { code: 'server_error', message: expect.stringContaining('restarted') },
    output_text: expect.stringContaining('restarted'),
  });
  const next = await create(bridge, '[[say:here I am]]', id);
  expect(next.output_text).toContain('here I am');
  expect(await rowsOf(home)).toHaveLength(1);
});

test('results of tools, a cancelled answer and one that was not stored go by their ids as well', async () => {
  await using home = new Home();
  home.configure({ policy: [{ tool: 'weather', decision: 'allow' }] });
  const bridge = await home.up();
  const openai = client(bridge);
  const tools = [
    { type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false },
  ];
  const input = '[[tool:weather {"city":"Rome"}]]';
  const asked = await openai.responses.create({ model: 'claude', input, tools });
  const call = asked.output.find((item) => item.type === 'function_call');
  expect(call).toMatchObject({ name: 'weather', arguments: '{"city":"Rome"}' });
  const answered = await openai.responses.create({
    model: 'claude',
    input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'sunny' }],
    tools,
    previous_response_id: asked.id,
  });
  expect(answered.output_text).toContain('sunny');
  expect((await openai.responses.retrieve(asked.id)).output).toEqual(asked.output);

  const stream = await openai.responses.create({
    model: 'claude',
    input: '[[hang]]',
    previous_response_id: answered.id,
    stream: true,
  });
  const { value: opened } = await stream[Symbol.asyncIterator]().next();
  const id = opened?.type === 'response.created' ? opened.response.id : '';
  expect(await openai.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });

  const unstored = await openai.responses.create({
    model: 'claude',
    input: '[[say:here I am]]',
    previous_response_id: id,
    store: false,
  });
  expect(unstored.output_text).toContain('here I am');
  await expect(create(bridge, 'on', unstored.id)).rejects.toMatchObject({
    code: 'previous_response_not_found',
    message: expect.stringContaining('`store` was false'),
  });
  expect(await rowsOf(home)).toHaveLength(1);
});
