// An OpenAI client talks to the real Claude Code through the bridge.
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { gate } from './support/gate.ts';
import type { ApiRequest } from './support/messages-request.ts';
import { claudePids } from './support/processes.ts';
import { World } from './support/world.ts';

/** The Claude Code session of the newest turn, as Claude Code told the model's API. */
function sessionOf(turns: ApiRequest[]): string {
  const session = turns.at(-1)?.session;
  if (!session) throw new Error('the last request names no session');
  return session;
}

test('an OpenAI client reads the first line while Claude is still writing the second', async () => {
  await using world = await World.start('stream');
  const second = gate();
  world.api.on('count', async (answer) => {
    answer.text('line one\n');
    await second.opened;
    answer.text('line two\n');
  });

  const stream = await world.bridge.openai.chat.completions.create({
    model: 'claude',
    stream: true,
    messages: [{ role: 'user', content: 'count' }],
  });
  let text = '';
  let finish: string | null | undefined;
  const reading = (async () => {
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
  })();
  await until('the first line', () => text.includes('line one'), 60_000);
  expect(text).not.toContain('line two');
  expect(finish).toBeUndefined();
  second.open();
  await reading;

  expect(text.trimEnd()).toBe('line one\nline two');
  expect(finish).toBe('stop');
});

test('a conversation keeps its process, also over a killed bridge, and its history after a stop', async () => {
  await using world = await World.start('history');
  const { api } = world;
  api.on('the word is', (answer) => answer.text('I keep it in mind.'));
  api.on('which word', (answer, request) => {
    const word = request.userTexts.join('\n').match(/the word is (\w+)/)?.[1];
    answer.text(word ? `It was ${word}.` : 'I never heard one.');
  });

  expect(await world.bridge.ask('walnut', 'the word is walnut')).toBe('I keep it in mind.');
  const session = sessionOf(api.turns);
  const [pid] = await claudePids(session);
  expect(pid).toBeTypeOf('number');

  expect(await world.bridge.ask('walnut', 'which word, second message?')).toBe('It was walnut.');
  expect(sessionOf(api.turns)).toBe(session);
  expect(await claudePids(session)).toEqual([pid]);

  await world.bridge.command('stop', 'walnut');
  await until('the stopped Claude to be gone', async () => (await claudePids(session)).length === 0, 20_000);
  expect(await world.bridge.ask('walnut', 'which word, after the stop?')).toBe('It was walnut.');
  expect(sessionOf(api.turns)).toBe(session);

  const resumed = await claudePids(session);
  await world.crash();
  const answer = await world.bridge.ask('walnut', 'which word, after the crash?');
  // Killed in the moment between the last byte and its note, a bridge may hand the earlier answer out once more.
  expect(answer).toMatch(/It was walnut\.$/);
  expect(answer).not.toContain('⚠️');
  expect(sessionOf(api.turns)).toBe(session);
  expect(resumed).toHaveLength(1);
  expect(await claudePids(session)).toEqual(resumed);
  // Nothing was said twice: each message stands once in the history, in its order.
  expect(api.turns.at(-1)?.userTexts.map((text) => text.replace(/^\[[^\]]*\]\s*/, ''))).toEqual([
    'the word is walnut',
    'which word, second message?',
    'which word, after the stop?',
    'which word, after the crash?',
  ]);
});

test('two conversations are answered by two Claude processes that do not know each other', async () => {
  await using world = await World.start('two');
  const { api } = world;
  await world.bridge.ask('left', 'I am on the left');
  const left = sessionOf(api.turns);
  await world.bridge.ask('right', 'I am on the right');
  const right = sessionOf(api.turns);

  expect(right).not.toBe(left);
  expect(api.turns.at(-1)?.userTexts.join('\n')).not.toContain('on the left');
  const pids = [...(await claudePids(left)), ...(await claudePids(right))];
  expect(new Set(pids).size).toBe(2);
});
