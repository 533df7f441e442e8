// Metrics of a real bridge, scraped as Prometheus does.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { definitions } from '../../../src/bridge/metrics/definitions.ts';
import { Scraped } from '../../support/prometheus.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

interface Got {
  status: number | undefined;
  type: string | undefined;
  body: string;
}

/** A request with headers that fetch would not send. */
function get(url: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    request(url, { headers, timeout: 10_000 }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, type: response.headers['content-type'], body }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const shown = (token: string) => ({ authorization: `Bearer ${token}` });

const scrape = async ({ at, token }: RunningBridge) =>
  new Scraped((await get(`${at.url}/metrics`, shown(token))).body);

test('what is scraped is what happened: turns, a question, Claude Code, the journal, and no word of a chat', async () => {
  await using home = new Home();
  home.configure({ metrics: { http: true } });
  const bridge = await home.up();
  const before = await scrape(bridge);
  expect(before.value('synthesis_sessions', { state: 'idle' })).toBe(0);
  expect(before.value('synthesis_claude_starts_total')).toBe(0);

  expect((await home.command('send', '--create', 'alice:chat', '[[say:secret words]]')).code).toBe(0);
  expect((await home.command('send', 'alice:chat', 'of bananas')).code).toBe(0);
  await home.command('send', '--no-wait', 'alice:chat', '[[bash:echo $((40+2))]]');
  const code = await until('the question', async () => {
    const [ask] = JSON.parse((await home.command('approvals', '--json')).stdout);
    return ask?.code as string | undefined;
  });
  const asking = await scrape(bridge);
  expect(asking.value('synthesis_asks_open')).toBe(1);
  expect(asking.value('synthesis_sessions', { state: 'asking' })).toBe(1);
  await home.command('approve', code, '--yes');
  await home.command('wait', 'alice:chat');

  const got = await get(`${bridge.at.url}/metrics`, shown(bridge.token));
  expect(got).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
  const seen = new Scraped(got.body);
  expect(seen.value('synthesis_messages_total', { ingress: 'operator' })).toBe(3);
  expect(seen.value('synthesis_turns_total', { ingress: 'operator', outcome: 'completed' })).toBe(3);
  const turns = seen.histogram('synthesis_turn_duration_seconds', { outcome: 'completed' });
  expect(turns.count).toBe(3);
  expect(turns.sum).toBeGreaterThan(0.1);
  expect(turns.buckets.at(-1)).toBe(3);
  expect(seen.histogram('synthesis_turn_first_text_seconds').count).toBe(3);
  expect(seen.histogram('synthesis_turn_queue_seconds').count).toBe(3);
  expect(seen.value('synthesis_claude_starts_total')).toBe(1);
  expect(seen.histogram('synthesis_claude_start_seconds', { delivery: 'terminal' }).count).toBe(1);
  expect(seen.histogram('synthesis_ask_verdict_seconds', { verdict: 'allow', door: 'cli' }).count).toBe(1);
  expect(seen.value('synthesis_asks_open')).toBe(0);
  expect(seen.value('synthesis_claude_tools_total', { outcome: 'succeeded' })).toBe(1);
  expect(seen.value('synthesis_sessions', { state: 'idle' })).toBe(1);
  expect(seen.value('synthesis_sessions_delivery', { delivery: 'terminal' })).toBe(1);
  expect(seen.value('synthesis_hosts')).toBeGreaterThanOrEqual(1);
  expect(seen.value('synthesis_disk_state', { state: 'ok' })).toBe(1);
  expect(seen.value('synthesis_disk_free_bytes')).toBeGreaterThan(0);
  expect(seen.value('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  expect(seen.histogram('synthesis_journal_sync_seconds').count).toBeGreaterThanOrEqual(3);
  const stats = JSON.parse((await home.command('journal', 'stats', '--json')).stdout);
  expect(seen.value('synthesis_journal_rows')).toBe(stats.rows);
  expect(seen.value('synthesis_journal_rows_total')).toBe(stats.last);
  const series = got.body.split('\n').map((line) => line.replace(/ [^ ]+$/, ''));
  expect(series.filter((each, at) => !each.startsWith('#') && series.indexOf(each) !== at)).toEqual([]);
  for (const { name, type, help } of seen.families) {
    const definition = definitions[name as keyof typeof definitions];
    expect({ type, help }, name).toEqual({ type: definition.type.toUpperCase(), help: definition.help });
  }
  for (const word of ['alice', 'secret', 'bananas', home.path]) expect(got.body).not.toContain(word);

  const printed = await home.command('metrics');
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(new Scraped(`${printed.stdout}\n`).value('synthesis_messages_total', { ingress: 'operator' })).toBe(
    3,
  );
});

test('counters begin at 0 with each bridge, and a turn that outlived one is timed from its message on', async () => {
  await using home = new Home();
  home.configure({ metrics: { http: true } });
  const first = await home.up();
  await home.command('send', '--no-wait', '--create', 'ops', '[[bash:echo $((40+2))]]');
  const code = await until('the question', async () => {
    const [ask] = JSON.parse((await home.command('approvals', '--json')).stdout);
    return ask?.code as string | undefined;
  });
  await first.kill();
  const began = Date.now();
  const bridge = await home.up();
  const early = await scrape(bridge);
  expect(early.value('synthesis_claude_adopted_total')).toBe(1);
  expect(early.value('synthesis_asks_open')).toBe(1);
  expect(early.value('synthesis_asks_total')).toBe(0);
  await home.command('deny', code);
  await home.command('wait', 'ops');
  const turns = (await scrape(bridge)).histogram('synthesis_turn_duration_seconds', { outcome: 'completed' });
  expect(turns.count).toBe(1);
  expect(turns.sum).toBeGreaterThan(0);
  expect(turns.sum).toBeLessThan((Date.now() - began) / 1000 + 60);
});

test('the port says nothing of metrics unless it is told to, and never to a page, under a foreign name or without a token for it', async () => {
  await using home = new Home();
  const silent = await home.up();
  expect((await get(`${silent.at.url}/metrics`)).status).toBe(404);
  expect((await home.command('metrics')).stdout).toContain('synthesis_build_info{version="');
  await silent.end();

  home.configure({ metrics: { http: true } });
  const { at, token } = await home.up();
  const made = async (...args: string[]) =>
    (await home.run(['token', 'new', '--state-dir', home.state, ...args])).stdout;
  const ask = (headers: Record<string, string>) => get(`${at.url}/metrics`, headers);
  const refused = [
    await ask({ ...shown(token), host: 'evil.example' }),
    await ask({ ...shown(token), origin: 'http://127.0.0.1' }),
    await ask({}),
    await ask(shown(await made('--scope', 'chat', '--scope', 'models', '--scope', 'operate'))),
  ];
  expect(refused.map(({ status }) => status)).toEqual([421, 403, 401, 403]);
  for (const { body } of refused) expect(body).not.toContain('synthesis_build_info');
  const monitor = shown(await made('--scope', 'metrics'));
  // Many at once get one answer.
  const all = await Promise.all(Array.from({ length: 30 }, () => ask(monitor)));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
});

test('without a bridge `metrics` says so, and how to start one', async () => {
  await using home = new Home();
  const { code, stderr, stdout } = await home.command('metrics');
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
  expect(stderr).toContain('synthesis up');
});
