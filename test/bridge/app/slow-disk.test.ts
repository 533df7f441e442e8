// A disk that takes its time delays what has to be on it first, and nothing else.
import { expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryDisk } from '../../support/memory-disk.ts';
import { SmallBridge } from '../../support/small-bridge.ts';
import { until } from '../../support/until.ts';

const body = (text: string, stream: boolean) => ({
  model: 'claude',
  stream,
  messages: [{ role: 'user', content: text }],
});
const named = (session: string) => ({ headers: { 'x-synthesis-session': session } });

test('while the disk is busy text goes on to its client, and only what must not get lost waits', async () => {
  const disk = new MemoryDisk();
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ clock, journal: disk.journal({ clock }) });
  const { agent, dispatcher } = bridge;
  agent.onPrompt = ({ turn }, { key }) => agent.take(key, turn);
  const streamed = await bridge.post(body('tell me', true), named('one'));
  const turn = await until(
    'the turn',
    () => dispatcher.session('one')?.turns.find(({ phase }) => phase.name === 'running')?.id,
  );
  await dispatcher.stored();

  const disks = Promise.withResolvers<void>();
  disk.busy = disks.promise;
  let answered = false;
  const second = bridge.post(body('and me', false), named('two')).then(async (response) => {
    answered = true;
    return response.text();
  });
  await until('the second message', () => dispatcher.session('two')?.turns.length === 1);
  const reader = streamed.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  for (const word of ['once ', 'upon ', 'a time ']) {
    agent.say('one', turn, word, word, 0, true);
    while (!heard.includes(word)) heard += (await reader?.read())?.value ?? '';
  }
  expect([answered, agent.prompts.map(({ prompt }) => prompt.text)]).toEqual([false, ['tell me']]);

  agent.onPrompt = (prompt, { key }) => {
    agent.take(key, prompt.turn);
    agent.endTurn(key, prompt.turn, 'you, too');
  };
  disks.resolve();
  expect(await second).toContain('you, too');
  agent.endTurn('one', turn, 'the end');
  await reader?.cancel();
});
