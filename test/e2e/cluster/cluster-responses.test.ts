// A client of /v1/responses that knows no more of a conversation than the ids it got, at another machine's port.
import { OpenAI } from 'openai';
import { afterAll, beforeAll, expect } from 'vitest';
import { natsTest as test } from '../../support/nats-test.ts';
import { Nodes } from '../support/nodes.ts';

const model = 'claude';
let nodes: Nodes;
let box: OpenAI;

beforeAll(async () => {
  nodes = await Nodes.met(['mac', 'box', 'pi']);
  box = nameless('box');
});

afterAll(() => nodes[Symbol.asyncDispose]());

/** It names no conversation. */
function nameless(name: string): OpenAI {
  const { baseURL, apiKey } = nodes.bridge(name).client('unused');
  return new OpenAI({ baseURL, apiKey, maxRetries: 0 });
}

/** A conversation on mac: its name, and a response of it. */
async function begun(input: string): Promise<{ key: string; first: OpenAI.Responses.Response }> {
  const first = await nameless('mac').responses.create({ model, input });
  const rows = await nodes.json<{ key: string }[]>('mac', 'ps', '--node', 'mac');
  return { key: rows.at(-1)?.key ?? '', first };
}

const refused = (error: { status: number; code: string; message: string }) => error;
const keysOn = async (name: string) =>
  (await nodes.json<{ key: string }[]>(name, 'ps', '--node', name)).map(({ key }) => key);

test('goes on from a response, reads, deletes and cancels it', async () => {
  const { first } = await begun('hello');
  expect(first.id.length).toBeLessThanOrEqual(61);
  const second = await box.responses.create({ model, input: '[[recall]]', previous_response_id: first.id });
  expect(second.output_text).toContain('hello');
  expect(second.previous_response_id).toBe(first.id);
  expect(await box.responses.retrieve(second.id)).toMatchObject({ id: second.id, output: second.output });
  const { data } = await box.responses.inputItems.list(first.id);
  expect(JSON.stringify(data)).toContain('hello');
  expect(await box.responses.cancel(second.id).catch(refused)).toMatchObject({ code: 'response_over' });
  await box.responses.delete(second.id);
  for (const each of [box, nameless('mac')])
    expect(await each.responses.retrieve(second.id).catch(refused)).toMatchObject({
      status: 404,
      message: expect.stringContaining('It was deleted.'),
    });
  expect(await keysOn('box')).toEqual([]);
});

test('refers to what was said by items', async () => {
  const { first } = await begun('by items');
  const [item] = first.output;
  const { output_text } = await box.responses.create({
    model,
    input: [
      { type: 'item_reference', id: item?.id ?? '' },
      { role: 'user', content: '[[recall]]' },
    ],
  });
  expect(output_text).toContain('by items');
  expect(await keysOn('box')).toEqual([]);
});

test('is told of an id that nobody gave, and that begins no conversation', async () => {
  const nobody = `resp_${'0'.repeat(32)}t${'0'.repeat(22)}`;
  expect(await box.responses.retrieve(nobody).catch(refused)).toMatchObject({
    status: 404,
    code: 'response_not_found',
  });
  const on = box.responses.create({ model, input: 'x', previous_response_id: nobody });
  expect(await on.catch(refused)).toMatchObject({ status: 400, code: 'previous_response_not_found' });
  expect(await keysOn('box')).toEqual([]);
});

test('with a token of box for some conversations reaches these on mac, and no other one', async () => {
  const named = (session: string) => ({ headers: { 'x-synthesis-session': session } });
  const mac = nameless('mac');
  const team = await mac.responses.create({ model, input: 'for the team' }, named('team:a'));
  const other = await mac.responses.create({ model, input: 'for nobody else' }, named('other'));
  const made = await nodes.command('box', 'token', 'new', '--scope', 'chat', '--session', 'team:*');
  const limited = new OpenAI({ baseURL: box.baseURL, apiKey: made.stdout, maxRetries: 0 });
  const next = { model, input: '[[recall]]' };
  const on = await limited.responses.create({ ...next, previous_response_id: team.id });
  expect(on.output_text).toContain('for the team');
  expect(await limited.responses.retrieve(team.id)).toMatchObject({ output: team.output });
  const outside = { status: 403, code: 'session_not_allowed' };
  const refusals = [
    limited.responses.create({ ...next, previous_response_id: other.id }),
    limited.responses.create(next, named('other')),
    limited.post('/warm', named('other')),
  ];
  const told = await Promise.all(refusals.map((each) => each.catch(refused)));
  expect(told).toMatchObject([outside, outside, outside]);
  expect(await limited.responses.retrieve(other.id).catch(refused)).toMatchObject({
    status: 404,
    message: expect.stringContaining('only for conversations whose key begins with "team:"'),
  });
  // It is a token of box alone.
  const there = new OpenAI({ baseURL: mac.baseURL, apiKey: made.stdout, maxRetries: 0 });
  expect(await there.models.list().catch(refused)).toMatchObject({ status: 401, code: 'invalid_api_key' });
  expect(await keysOn('box')).toEqual([]);
});

test('reaches what has moved, from where it was, and is told when its machine is away', async () => {
  const { key, first } = await begun('it moves');
  // It remembers where that lives.
  const pi = nameless('pi');
  expect(await pi.responses.retrieve(first.id)).toMatchObject({ id: first.id });
  expect((await nodes.command('mac', 'cluster', 'move', key, 'box')).code).toBe(0);
  const mac = nameless('mac');
  for (const each of [mac, box, pi])
    expect(await each.responses.retrieve(first.id)).toMatchObject({ output: first.output });
  const input = '[[recall]]';
  const second = await mac.responses.create({ model, input, previous_response_id: first.id });
  expect(second.output_text).toContain('it moves');
  await nodes.bridge('box').kill();
  const told = await mac.responses.retrieve(second.id).catch(refused);
  expect(told).toMatchObject({ status: 503, message: expect.stringContaining('cannot be reached') });
  const words = await mac.responses.create({ model, input: 'x', previous_response_id: second.id });
  expect(words.output_text).toContain('lives on box, which is away. Your message was not taken');
  // What lives here needs nobody to be found.
  const { id } = await mac.responses.create({ model, input: 'at home' });
  for (const server of nodes.servers.all) await server.kill();
  expect(await mac.responses.retrieve(id)).toMatchObject({ id });
  expect(await mac.responses.retrieve(second.id).catch(refused)).toMatchObject({ status: 503 });
});
