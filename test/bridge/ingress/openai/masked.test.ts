// Secrets stay in: what Claude writes goes out without them, in a stream, in one piece, and by the id of a response.
import OpenAI from 'openai';
import { afterEach, expect, test } from 'vitest';
import { OutgoingMasks } from '../../../../src/bridge/outgoing-masks.ts';
import type { JournalRow } from '../../../../src/protocol/events/events.ts';
import { Config } from '../../../../src/protocol/settings/config.ts';
import { samples, word } from '../../../secrets/samples.ts';
import { SmallBridge } from '../../../support/small-bridge.ts';

const key = 'notes';
const [, token] = samples[0] as readonly [string, string];
const own = `own-${word(30)}`;
const note = '_1 secret was masked in this answer (`mask` in the configuration)._';

let bridge: SmallBridge;
let masks: OutgoingMasks;
let client: OpenAI;
/** In which pieces Claude writes. */
let pieces: string[] = [];

async function start(settings: object = {}): Promise<void> {
  masks = new OutgoingMasks(Config.parse(settings), { values: () => [own] });
  bridge = await SmallBridge.start({ masks });
  bridge.agent.onPrompt = ({ turn }) => {
    bridge.agent.take(key, turn);
    for (const [index, piece] of pieces.entries()) bridge.agent.say(key, turn, piece, 'm', index);
    bridge.agent.endTurn(key, turn);
  };
  client = new OpenAI({
    baseURL: `${bridge.url}/v1`,
    apiKey: bridge.token,
    maxRetries: 0,
    defaultHeaders: { 'x-synthesis-session': key },
  });
}
afterEach(() => bridge[Symbol.asyncDispose]());

let asked = 0;
const question = () => [{ role: 'user' as const, content: `What is it, ${++asked}?` }];

async function whole(): Promise<string> {
  const answer = await client.chat.completions.create({ model: 'claude', messages: question() });
  return answer.choices[0]?.message.content ?? '';
}

async function streamed(): Promise<string[]> {
  const stream = await client.chat.completions.create({
    model: 'claude',
    messages: question(),
    stream: true,
  });
  const texts: string[] = [];
  for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content ?? '');
  return texts.filter((text) => text !== '');
}

test.each([
  ['in one piece', [`Use ${token}.\n`]],
  ['cut in two', [`Use ${token.slice(0, 12)}`, `${token.slice(12)}.\n`]],
  ['in many pieces', [...`Use ${token}.\n`]],
])('a token %s does not go out, and the answer says so', async (_, text) => {
  await start();
  pieces = text;
  const wanted = `Use ‹secret: GitHub token›\n\n${note}`;
  expect((await whole()).replace('›.\n', '›\n')).toBe(wanted);
  expect((await streamed()).join('').replace('›.\n', '›\n')).toBe(wanted);
});

test('an answer without a secret is as Claude wrote it', async () => {
  await start();
  pieces = ['There is ', 'nothing to ', 'hide here.'];
  expect(await whole()).toBe('There is nothing to hide here.');
  expect((await streamed()).join('')).toBe('There is nothing to hide here.');
});

test('with `own`, only the secrets of the bridge are masked; for one conversation, too', async () => {
  await start({ mask: 'own' });
  pieces = [`${token} and ${own}.`];
  expect(await whole()).toBe(`${token} and ‹secret: known to the bridge›.\n\n${note}`);
  await bridge[Symbol.asyncDispose]();
  await start({ profiles: [{ match: key, mask: 'own' }] });
  expect(await whole()).toContain(token);
});

test('a response that its client comes back to has none either, and the journal has what Claude wrote', async () => {
  await start();
  pieces = ['Password: ', 'zhdFJZGFTViy\n'];
  const stream = await client.responses.create({ model: 'claude', input: question(), stream: true });
  let said = '';
  let final: OpenAI.Responses.Response | undefined;
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') said += event.delta;
    if (event.type === 'response.completed') final = event.response;
  }
  const wanted = `Password: ‹secret: password›\n\n${note}`;
  expect(said).toBe(wanted);
  expect(final?.output_text ?? JSON.stringify(final?.output)).toContain('‹secret: password›');
  const again = await client.responses.retrieve(final?.id ?? '');
  expect(again.output_text).toBe(wanted);
  const [turn] = bridge.dispatcher.session(key)?.turns ?? [];
  expect(String(turn?.answer.text)).toBe('Password: zhdFJZGFTViy\n');
});

test('what a person says is not masked, neither to Claude', async () => {
  await start();
  pieces = ['Thank you.'];
  let given = '';
  bridge.agent.onPrompt = ({ turn, text }) => {
    given = text;
    bridge.agent.take(key, turn);
    bridge.agent.endTurn(key, turn, 'Thank you.');
  };
  const messages = [{ role: 'user' as const, content: `It is ${token}.` }];
  await client.chat.completions.create({ model: 'claude', messages });
  expect(given).toContain(token);
});

test('a line that a person has released to a conversation is shown there, and nowhere else', async () => {
  await start();
  pieces = [`The printer has ${token}.`];
  expect(await whole()).not.toContain(token);
  const happens = (session: string, event: object) =>
    masks.observe({ seq: 1, at: 0, session, event } as JournalRow);
  const released = { type: 'tool.answered', call: 'c1', ok: true, content: JSON.stringify({ line: token }) };
  // Not by a tool of that name that the hub has lent.
  happens(key, { type: 'tool.called', call: 'c1', tool: 'obsidian_rag_release', args: {} });
  happens(key, released);
  expect(await whole()).not.toContain(token);
  const called = { type: 'tool.called', call: 'c1', tool: 'obsidian_rag_release', args: {}, provider: 'v' };
  happens('elsewhere', called);
  happens('elsewhere', released);
  expect(await whole()).not.toContain(token);
  happens(key, called);
  happens(key, released);
  expect(await whole()).toBe(`The printer has ${token}.`);
});
