// What OpenClaw asks outside of every conversation: answered by a Claude Code of its own, which has no tools.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { Home } from '../support/program.ts';

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** OpenClaw, as it is after `openclaw install`, without the retries that would hide a failure. */
const hub = (bridge: { client(session: string): OpenAI }) => {
  const { baseURL, apiKey } = bridge.client('unused');
  const defaultHeaders = { 'x-openclaw-provider': 'synthesis' };
  return new OpenAI({ baseURL, apiKey, maxRetries: 0, defaultHeaders }).chat.completions;
};

const system = 'Describe what you are given.';
const asked = (content: string | OpenAI.ChatCompletionContentPart[]) => ({
  model: 'claude',
  messages: [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content },
  ],
});

const sessions = async (home: Home) => JSON.parse((await home.command('ps', '-a', '--json')).stdout);

test('text and pictures are understood, as one object or as a stream, and no conversation begins', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const whole = await hub(bridge).create(asked([{ type: 'image_url', image_url: { url: picture } }]));
  expect(whole.choices[0]?.message.content).toContain('I see 1 picture.');
  const stream = await hub(bridge).create({ ...asked('[[system]]'), stream: true });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  expect(text).toBe(`System prompt:\n${system}`);
  const again = {
    ...asked('one'),
    messages: [...asked('one').messages, { role: 'assistant' as const, content: 'two' }],
  };
  again.messages.push({ role: 'user', content: '/cost' });
  const third = await hub(bridge).create(again);
  expect(third.choices[0]?.message.content).toContain('You said: [user] one [assistant] two [user] /cost');
  expect(await sessions(home)).toEqual([]);
  expect(readdirSync(join(home.state, 'one-shots'))).toEqual([]);
});

test.each<[what: string, config: object, env: Record<string, string>, text: string, words: string]>([
  [
    'Claude Code that cannot answer',
    {},
    {},
    '[[fail:overloaded]]',
    'could not answer: API Error: overloaded',
  ],
  ['Claude Code that nobody signed in to', {}, { SIM_SIGNED_OUT: '1' }, 'hi', 'Not logged in'],
  ['a Claude Code that is too old', {}, { SIM_START: 'old' }, 'hi', 'is older than'],
  ['a configuration that refuses', { openclaw: { utilityCalls: 'refuse' } }, {}, 'hi', 'utilityCalls'],
])('%s is an error in words, never an answer', async (_, config, env, text, words) => {
  await using home = new Home();
  home.configure(config);
  const bridge = await home.up({ env });
  const refused = await hub(bridge)
    .create(asked(text))
    .then(undefined, (error: unknown) => error);
  expect(refused).toMatchObject({ status: 422, message: expect.stringContaining(words) });
  expect(await sessions(home)).toEqual([]);
});

test('what cannot be given to Claude is refused, and so is everything while a panic holds', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const url = 'http://127.0.0.1:1/x.png';
  const elsewhere = hub(bridge).create(asked([{ type: 'image_url', image_url: { url } }]));
  await expect(elsewhere).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('data: URL'),
  });
  await home.command('panic');
  await expect(hub(bridge).create(asked('hi'))).rejects.toMatchObject({ status: 422 });
  await atTerminal(home, ['resume', '-y']);
  expect((await hub(bridge).create(asked('hi'))).choices[0]?.message.content).toContain('You said: hi');
});

test('two are answered at a time, the rest waits, too many are sent away, and one nobody waits for ends', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const leaving = new AbortController();
  const slow = ['a', 'b'].map((name) =>
    hub(bridge).create(asked(`${name} [[wait:100000]]`), { signal: leaving.signal }),
  );
  const gone = Promise.allSettled(slow);
  const folders = () => readdirSync(join(home.state, 'one-shots'));
  await until('both to run', () => folders().length === 2);
  const rest = Array.from({ length: 21 }, (_, at) =>
    hub(bridge)
      .create(asked(`rest ${at}`))
      .then(
        () => 'answered',
        ({ status }: { status: number }) => status,
      ),
  );
  expect(await Promise.race(rest)).toBe(503);
  expect(folders()).toHaveLength(2);
  leaving.abort();
  expect((await gone).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const ends = await Promise.all(rest);
  expect(ends.filter((end) => end === 'answered')).toHaveLength(20);
  await until('their files to be gone', () => folders().length === 0);
}, 90_000);

test('a bridge that stops ends them', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const open = hub(bridge)
    .create(asked('[[wait:100000]]'))
    .then(undefined, (error: unknown) => error);
  const folder = join(home.state, 'one-shots');
  await until('it to run', () => existsSync(folder) && readdirSync(folder).length === 1);
  expect(await bridge.end()).toBe(0);
  expect(await open).toBeInstanceOf(Error);
  expect(readdirSync(folder)).toEqual([]);
});
