// The first word of a message passes through the real OpenClaw and its Telegram, and does what it says.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alice, direct, TelegramWorld } from './support/telegram-world.ts';

let world: TelegramWorld;
beforeAll(async () => {
  world = await TelegramWorld.start('steering', [{ messages: { queue: { mode: 'interrupt' } } }]);
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** Claude asks, in words. @returns the code */
async function question(word: string): Promise<string> {
  const { text } = await world.ask(`[[bash:echo ${word}-$((20+2))]]`, new RegExp(`echo ${word}`));
  return /yes ([a-z]{5})/.exec(text)?.[1] ?? '';
}

test('what is steered while a question is open goes to Claude with what the tool brought', async () => {
  const code = await question('steered');
  const again = await world.ask('+steer mind the zebra', code);
  expect(again.text).not.toContain('only who may answer');
  const { text } = await world.ask(`yes ${code}`, 'zebra');
  expect(text).toContain('Bash answered: steered-22');
  expect(text).toMatch(/> \[Alice \(telegram:4242\)\] mind the zebra/);
});

test('an interrupt closes the question, and is answered', async () => {
  await question('stopped');
  const { text } = await world.ask('+interrupt look at the lion', /You said: .*lion/);
  expect(text).toContain('was stopped; Claude keeps what it did until then');
  expect(text).not.toContain('+interrupt');
});

test('with the queue mode interrupt in OpenClaw an interrupt stops an answer that is being written, at once', async () => {
  world.telegram.write(direct, alice, '[[say:It begins.]][[wait:60000]]');
  await world.reaches('agent:main:main', 'working');
  const before = performance.now();
  await world.ask('+interrupt look at the tiger', /You said: .*tiger/);
  // What OpenClaw's hanging up alone brings about takes ten seconds.
  expect(performance.now() - before).toBeLessThan(9_000);
});
