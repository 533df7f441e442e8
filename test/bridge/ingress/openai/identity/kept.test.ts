// The bridge stops while messages wait: their clients are told so, and not reset.
import { expect, test } from 'vitest';
import { SmallBridge } from '../../../../support/small-bridge.ts';
import { until } from '../../../../support/until.ts';

const ask = (bridge: SmallBridge, content: string, stream: boolean) =>
  bridge.post(
    { model: 'claude', stream, messages: [{ role: 'user', content }] },
    { headers: { 'x-synthesis-session': 's1' } },
  );

test.each([true, false])(
  'a request that waits ends in words, and its message is kept (stream: %s)',
  async (stream) => {
    await using bridge = await SmallBridge.start();
    bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
    const first = ask(bridge, 'apple', stream);
    const { prompt } = await until('the first prompt', () => bridge.agent.prompts[0]);
    bridge.agent.onPrompt = () => {};
    const second = ask(bridge, 'banana', stream);
    await until('the second message', () => bridge.dispatcher.session('s1')?.turns.length === 2);
    bridge.dispatcher.dispatch('s1', { type: 'turn.expire', turn: prompt.turn, code: 'shutting_down' });
    await bridge.readers.stop();
    expect(await (await first).text()).toContain('The bridge is being shut down.');
    const answer = await second;
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toMatch(/before Claude got to your message .*banana.*is kept: Claude answers it when/s);
    if (stream) expect(text.trimEnd()).toMatch(/data: \[DONE\]$/);
    const kept = bridge.dispatcher.session('s1')?.turns[1];
    expect(kept).toMatchObject({ handed: 0, reads: [], phase: { name: 'delivering' } });
  },
);

test('nobody waits for a client that does not read, beyond the time', async () => {
  await using bridge = await SmallBridge.start();
  await bridge.readers.stop();
  expect(bridge.readers.isRead('t')).toBe(false);
});
