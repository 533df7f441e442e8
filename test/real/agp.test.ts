// A WeChat gateway talks to the real Claude Code through the bridge.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgpGateway, type PromptSeen } from '../support/agp-gateway.ts';
import { until } from '../support/until.ts';
import { gate } from './support/gate.ts';
import { World } from './support/world.ts';

let folder: string;
let gateway: AgpGateway;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synthesis-agp-'));
  gateway = await AgpGateway.start({ token: 'right' });
  await mkdir(join(folder, 'synthesis'));
  const agp = [{ url: gateway.url, token: 'right', reconnectInterval: 50 }];
  writeFileSync(join(folder, 'synthesis/config.json'), JSON.stringify({ agp }), { mode: 0o600 });
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const slow = 90_000;
const codeIn = (seen: PromptSeen) => /"yes ([a-km-z]{5})"/.exec(seen.response?.content ?? '')?.[1] ?? '';

test('an answer is streamed, a tool is asked for, shown and run, and a cancel stops Claude', async () => {
  await using world = await World.start('agp', { env: { XDG_CONFIG_HOME: folder } });
  const { api } = world;
  const second = gate();
  api.on('count', async (answer) => {
    answer.text('line one\n');
    await second.opened;
    answer.text('line two 🙂\n');
  });
  await gateway.connected();

  const counted = gateway.prompt('wx-1', 'count');
  await until('the first line', () => counted.streamed.includes('line one'), slow);
  expect(counted.response).toBeUndefined();
  second.open();
  await gateway.answered(counted, slow);
  expect(counted.response?.content?.trimEnd()).toBe('line one\nline two 🙂');

  api.on('touch a file', (answer, request) => {
    if (request.toolResults.length > 0) answer.text('It is there.');
    else answer.tool('Bash', { command: 'touch proof.txt', description: 'Make a file' });
  });
  const asking = gateway.prompt('wx-1', 'touch a file');
  await gateway.answered(asking, slow);
  expect(asking.response?.content).toContain('touch proof.txt');
  const verdict = gateway.prompt('wx-1', `yes ${codeIn(asking)}`);
  await gateway.answered(verdict, slow);
  expect(verdict.response).toMatchObject({ stop_reason: 'end_turn' });
  expect(verdict.response?.content).toContain('It is there.');
  expect([...verdict.tools.values()]).toMatchObject([{ kind: 'execute', status: 'completed' }]);

  const never = gate();
  api.on('think long', async (answer) => {
    answer.text('I begin\n');
    await never.opened;
  });
  const long = gateway.prompt('wx-1', 'think long');
  await until('the beginning', () => long.streamed.includes('I begin'), slow);
  gateway.cancel(long);
  await gateway.answered(long, slow);
  expect(long.response?.stop_reason).toBe('cancelled');
  never.open();
  expect(gateway.verdict()).toEqual([]);
});

test('an answer goes on behind a killed bridge, and the next one tells it whole', async () => {
  await using world = await World.start('agp-crash', { env: { XDG_CONFIG_HOME: folder } });
  const { api } = world;
  const end = gate();
  api.on('think long', async (answer) => {
    answer.text('I begin\n');
    await end.opened;
    answer.text('and end\n');
  });
  api.on('are you there', (answer) => answer.text('I am.'));
  await gateway.connected();
  const running = gateway.prompt('wx-1', 'think long');
  const waiting = gateway.prompt('wx-1', 'are you there');
  await until('the beginning', () => running.streamed.includes('I begin'), slow);
  running.interrupted = true;
  await world.crash();
  end.open();
  expect((await gateway.answered(running, slow)).content?.trimEnd()).toBe('I begin\nand end');
  expect((await gateway.answered(waiting, slow)).content).toContain('I am.');
  expect(gateway.verdict()).toEqual([]);
});
