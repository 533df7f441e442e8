// `traceparent` of a request, through the journal, to the real OpenTelemetry SDK in the operator's own module.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

const setup = resolve(import.meta.dirname, '../../fixtures/telemetry/setup.mjs');
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

interface Exported {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parent?: string;
  attributes: Record<string, unknown>;
  failed: boolean;
  began: number;
  ended: number;
}

const exported = (file: string): Exported[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Exported);

async function ask({ at }: RunningBridge, content: string, traceparent: string): Promise<number> {
  const { status } = await fetch(`${at.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readFileSync(at.token_file, 'utf8').trim()}`,
      'content-type': 'application/json',
      'x-synthesis-session': 'alice:chat',
      traceparent,
    },
    body: JSON.stringify({ model: 'claude', messages: [{ role: 'user', content }] }),
    signal: AbortSignal.timeout(20_000),
  });
  return status;
}

test('a request’s trace goes on in the bridge, over a kill, down to its tools, without a word of the chat', async () => {
  await using home = new Home();
  home.configure({ telemetry: { module: setup } });
  const file = join(home.path, 'spans');
  const env = { TELEMETRY_FILE: file };
  const first = await home.up({ env });
  expect(await ask(first, '[[say:secret words]]', `00-${traceId}-${spanId}-01`)).toBe(200);
  expect(await ask(first, 'and more', 'no trace at all')).toBe(200);
  await first.end();
  const spans = exported(file);
  const [request, ...others] = spans.filter((span) => span.traceId === traceId && span.name === 'request');
  expect(others).toEqual([]);
  // 1: SERVER.
  expect(request).toMatchObject({ parent: spanId, kind: 1, failed: false });
  const children = spans.filter(({ parent }) => parent === request?.spanId);
  expect(children.map(({ name }) => name)).toEqual(['queue', 'delivery', 'turn']);
  expect(children[1]?.ended).toBe(children[2]?.began);
  expect(request?.ended).toBe(children[2]?.ended);
  const own = spans.filter((span) => span.name === 'request' && span.traceId !== traceId);
  expect(own).toHaveLength(1);
  expect(own[0]?.parent).toBeUndefined();

  const second = await home.up({ env });
  const asked = ask(second, '[[bash:echo $((40+2))]]', `00-${traceId}-${spanId}-01`).catch(() => 0);
  const code = await until('the question', async () => {
    const [one] = JSON.parse((await home.command('approvals', '--json')).stdout);
    return one?.code as string | undefined;
  });
  await second.kill();
  await asked;
  const third = await home.up({ env });
  await home.command('approve', code, '--yes');
  await home.command('wait', 'alice:chat');
  await third.end();
  const later = exported(file).slice(spans.length);
  const gone = later.find(({ name }) => name === 'request');
  expect(gone).toMatchObject({ traceId, parent: spanId, attributes: { 'synthesis.outcome': 'completed' } });
  const text = readFileSync(file, 'utf8');
  for (const word of ['alice', 'secret', 'and more']) expect(text).not.toContain(word);
});

test('a module that fails, or never ends, takes nothing from the bridge', async () => {
  await using home = new Home();
  const broken = join(home.path, 'broken.mjs');
  writeFileSync(broken, 'throw new Error("not set up");');
  home.configure({ telemetry: { module: broken } });
  const bridge = await home.up();
  expect((await home.command('send', '--create', 'notes', 'hello')).code).toBe(0);
  await until('its log', () =>
    readFileSync(join(home.state, 'bridge.log'), 'utf8').includes('telemetry.module could not be loaded'),
  );
  const { stderr } = await home.command('ps');
  expect(stderr).toContain(`${broken} (telemetry.module) could not be loaded, so there are no traces`);
  await bridge.end();

  writeFileSync(broken, 'await new Promise(() => setInterval(() => {}, 1000));');
  const hanging = await home.up();
  expect((await home.command('send', 'notes', 'hello again')).code).toBe(0);
  expect(await hanging.end()).toBe(0);
  expect(existsSync(join(home.state, 'bridge.json'))).toBe(false);
});
