// Many connections at once: whoever holds the token is heard, and strangers beside them harm nobody.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { manyClients } from '../../support/many-clients.ts';
import { SmallBridge } from '../../support/small-bridge.ts';
import { StrangerCrowd } from '../../support/stranger-crowd.ts';
import { until } from '../../support/until.ts';

const portOf = (url: string) => Number(new URL(url).port);

/** How often each answer was given to so many who show the token at once. */
const ask = (port: number, token: string, count: number) =>
  manyClients({
    to: { port },
    count,
    says: `GET /v1/responses/none HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`,
    answer: /^HTTP\/1\.1 (\d+)/,
  });

test('1,000 connections with the token at once are all answered, and none is reset', async () => {
  await using bridge = await SmallBridge.start({ mostRequests: 2_000 });
  expect(await ask(portOf(bridge.url), bridge.token, 1_000)).toEqual({ 404: 1_000 });
});

test('100 strangers every 20 ms harm none of 1,000 connections with the token, nor one that was there before', async () => {
  await using bridge = await SmallBridge.start({ mostRequests: 2_000 });
  bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
  const hi = { model: 'claude', messages: [{ role: 'user', content: 'hi' }] };
  const waiting = bridge.post(hi, { headers: { 'x-synthesis-session': 's1' } });
  const { prompt } = await until('the prompt', () => bridge.agent.prompts[0]);
  await using crowd = await StrangerCrowd.gather(portOf(bridge.url));
  await until('strangers to be hung up on', () => crowd.gone > 0);
  for (let round = 0; round < 3; round += 1)
    expect([round, await ask(portOf(bridge.url), bridge.token, 1_000)]).toEqual([round, { 404: 1_000 }]);
  expect(crowd.came).toBeGreaterThan(1_000);
  bridge.agent.say('s1', prompt.turn, 'late but whole');
  bridge.agent.endTurn('s1', prompt.turn);
  expect(await (await waiting).text()).toContain('late but whole');
});

test('a bridge that may have 200 files open has some left for whoever holds the token, whoever comes besides', async () => {
  const script = new URL('../../fixtures/bridge-with-few-files.ts', import.meta.url).pathname;
  const child = spawn('/bin/sh', ['-c', `ulimit -n 200 && exec "$0" "$1"`, process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface(child.stdout), 'line');
  const { port, token, files } = JSON.parse(String(line));
  expect(files).toBe(200);
  await using crowd = await StrangerCrowd.gather(port, 20);
  await until('strangers to be hung up on', () => crowd.gone > 200);
  for (let round = 0; round < 10; round += 1)
    expect([round, await ask(port, token, 10)]).toEqual([round, { 404: 10 }]);
  expect(child.exitCode).toBe(null);
});
