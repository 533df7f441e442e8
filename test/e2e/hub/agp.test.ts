// A WeChat conversation with the built program: a strict gateway on one side, the simulated Claude on the other.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgpGateway, type PromptSeen } from '../../support/agp-gateway.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

const token = 'wx-token-nobody-may-see';
let home: Home;
let gateway: AgpGateway;

beforeEach(async () => {
  home = new Home();
  gateway = await AgpGateway.start({ token });
  const folder = join(home.path, '.config/synthesis');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'wechat.token'), `${token}\n`, { mode: 0o600 });
  const agp = [{ url: gateway.url, tokenFile: join(folder, 'wechat.token'), reconnectInterval: 50 }];
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ agp }));
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const key = (session: string) => `agp:${gateway.url}:${session}`;

async function up(): Promise<RunningBridge> {
  const before = gateway.connections;
  const bridge = await home.up();
  await gateway.connected(before + 1);
  return bridge;
}

const codeIn = (seen: PromptSeen) => /"yes ([a-km-z]{5})"/.exec(seen.response?.content ?? '')?.[1] ?? '';

test('is streamed, uses tools, asks for permission, is cancelled, and can be watched and steered from the machine', async () => {
  const bridge = await up();
  const first = gateway.prompt('wx-1', 'good morning');
  await gateway.answered(first, 30_000);
  expect(first.response?.content).toContain('good morning');

  const asking = gateway.prompt('wx-1', '[[bash:echo hello]]');
  await gateway.answered(asking, 30_000);
  expect(asking.response?.content).toContain('echo hello');
  const verdict = gateway.prompt('wx-1', `yes ${codeIn(asking)}`);
  await gateway.answered(verdict, 30_000);
  expect(verdict.response?.stop_reason).toBe('end_turn');
  expect([...verdict.tools.values()]).toMatchObject([{ kind: 'execute', status: 'completed' }]);

  const slow = gateway.prompt('wx-1', '[[say:I begin|and go on]][[hang]]');
  await until('the beginning', () => slow.streamed.includes('I begin'), 30_000);
  gateway.cancel(slow);
  expect((await gateway.answered(slow, 30_000)).stop_reason).toBe('cancelled');

  const watched = JSON.parse((await home.command('ps', '--json')).stdout);
  expect(watched).toMatchObject([{ key: key('wx-1'), ingress: 'agp', state: 'idle' }]);
  expect((await home.command('ps')).stderr).toContain(`gateway ${gateway.url}: connected`);
  expect((await home.command('send', key('wx-1'), 'by hand')).stdout).toContain('by hand');

  const again = gateway.prompt('wx-1', '[[bash:echo again]]');
  await gateway.answered(again, 30_000);
  expect((await home.command('approve', codeIn(again))).code).toBe(0);
  await until(
    'the turn to end',
    async () => {
      const [row] = JSON.parse((await home.command('ps', '--json')).stdout);
      return row.state === 'idle';
    },
    30_000,
  );
  const rest = gateway.prompt('wx-1', 'and?');
  await gateway.answered(rest, 30_000);
  expect(rest.response?.content).toMatch(/allowed by the operator[\s\S]*You said: [^\n]*and\?/);
  expect(gateway.verdict()).toEqual([]);

  const { checks } = JSON.parse((await home.command('doctor', '--json')).stdout);
  expect(checks).toContainEqual(
    expect.objectContaining({ name: 'agp', message: `gateway ${gateway.url}: connected` }),
  );
  const states = bridge.lines.filter(({ event }) => event === 'gateway').map(({ state }) => state);
  expect(states).toEqual(['connecting', 'connected']);

  gateway.refuse = 503;
  gateway.cut();
  await until('the loss', () => bridge.lines.some((line) => line.state === 'reconnecting'));
  expect((await home.command('ps', '--check')).code).toBe(7);
  expect((await home.command('doctor')).stdout).toContain(`warn  agp`);
  await bridge.end();
  expect(filesWith(home.state, token)).toEqual([]);
  expect(`${JSON.stringify(bridge.lines)}${bridge.stderr}`).not.toContain(token);
});

test('an answer goes on behind kill -9 of the bridge, and is told whole', async () => {
  const first = await up();
  const running = gateway.prompt('wx-1', '[[say:I begin|and go on]][[wait:2000]][[say:and end]]');
  await until('the beginning', () => running.streamed.includes('I begin'), 30_000);
  await first.kill();
  running.interrupted = true;
  await up();
  const { content } = await gateway.answered(running, 30_000);
  for (const line of ['I begin', 'and go on', 'and end']) expect(content?.split(line)).toHaveLength(2);
  gateway.again(running);
  await gateway.answered(gateway.prompt('wx-1', 'still there?'), 30_000);
  expect(gateway.verdict()).toEqual([]);
});

test('survives kill -9 of the bridge and of Claude Code in the middle of an answer, and before one', async () => {
  const first = await up();
  const running = gateway.prompt('wx-1', '[[say:I begin|and go on]][[hang]]');
  const waiting = gateway.prompt('wx-1', 'next in line');
  await until('the beginning', () => running.streamed.includes('I begin'), 30_000);
  running.interrupted = true;
  await first.kill();
  await home.killHosts();
  await up();
  expect((await gateway.answered(running, 30_000)).error).toContain('restarted while Claude worked');
  expect((await gateway.answered(waiting, 30_000)).content).toContain('next in line');
  gateway.again(running);
  gateway.again(waiting);
  const after = gateway.prompt('wx-1', 'still there?');
  await gateway.answered(after, 30_000);
  expect(gateway.verdict()).toEqual([]);
});

test('ends a running answer in words when the bridge is stopped, before it hangs up', async () => {
  const bridge = await up();
  const running = gateway.prompt('wx-1', '[[say:I begin|and go on]][[hang]]');
  await until('the beginning', () => running.streamed.includes('I begin'), 30_000);
  expect(await bridge.end()).toBe(0);
  const response = await gateway.answered(running);
  expect(response.stop_reason).toBe('error');
  expect(response.error).toContain('being shut down');
  await until('the farewell', () => gateway.live === 0);
  expect(gateway.verdict()).toEqual([]);
});

test('a refused token is said by doctor, and not tried again and again', async () => {
  gateway.refuse = 401;
  const bridge = await home.up();
  await until('the refusal', () => bridge.lines.some((line) => line.state === 'disconnected'));
  const { checks } = JSON.parse((await home.command('doctor', '--json')).stdout);
  expect(checks).toContainEqual(
    expect.objectContaining({
      name: 'agp',
      status: 'failed',
      message: expect.stringContaining('refused the token'),
    }),
  );
  expect(gateway.tokens).toEqual([token]);
});

/** Files below a folder that hold a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile() && readFileSync(file).includes(text));
}
