// The built program between an OpenClaw of our own, which is strict, and the simulated Claude.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rowsOnDisk } from '../../../crash/history/evidence.ts';
import { lastingPort } from '../../support/lasting-port.ts';
import { OpenClawClient } from '../../support/openclaw-client.ts';
import { OpenClawGateway } from '../../support/openclaw-gateway.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge, simulatedClaude } from '../support/program.ts';

const key = 'agent:main:main';
/** Longer than a card can show. */
const long = 'x'.repeat(600);
let home: Home;
let gateway: OpenClawGateway;

beforeEach(async () => {
  home = new Home();
  gateway = await OpenClawGateway.start();
  const folder = join(home.path, '.config/synthesis');
  mkdirSync(folder, { recursive: true });
  const tokenFile = join(folder, 'gateway.token');
  writeFileSync(tokenFile, `${gateway.token}\n`, { mode: 0o600 });
  const openclaw = { gatewayUrl: gateway.url, tokenFile };
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ openclaw, policy: [{ tool: 'exec', decision: 'allow' }] }),
  );
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
  expect(gateway.faults).toEqual([]);
});

async function up(port = '0'): Promise<RunningBridge> {
  const before = gateway.connections;
  const bridge = await home.up({
    args: ['--port', port, '--claude', simulatedClaude, '--delivery', 'terminal'],
  });
  await until('the connection', () => gateway.connections > before);
  return bridge;
}

const client = (bridge: RunningBridge) =>
  new OpenClawClient({
    url: () => bridge.at.url,
    token: readFileSync(bridge.at.token_file, 'utf8').trim(),
    sessionKey: key,
    sessionId: 'session-of-the-test',
    headers: {
      'x-openclaw-session-key': encodeURIComponent(key),
      'x-openclaw-channel': 'telegram',
      'x-openclaw-chat-id': '4242',
      // Else an answer to a message that follows at once is held for four seconds (`preview-race`).
      'x-openclaw-streaming': 'off',
    },
    runTool: async () => 'ran',
    pause: async () => {},
  });

const firstCard = () => until('a card', () => gateway.cards[0], 30_000);

/** Every verdict that the journal got. */
const verdicts = (...bridges: RunningBridge[]) =>
  bridges.flatMap(({ lines }) => lines.filter(({ event }) => event === 'permission.decided'));

test('a button answers while the response stays open, and the operator’s answer closes a card', async () => {
  const bridge = await up();
  const openclaw = client(bridge);
  const asked = openclaw.say('[[say:Before.]][[bash:echo pressed-$((20+2))]]');
  const card = await firstCard();
  expect(card.request).toMatchObject({
    description: expect.stringContaining('echo pressed-'),
    toolName: 'Bash',
  });
  card.end('allow-once', 'channel');
  expect(await asked).toMatch(/Before\.[\s\S]*pressed-22/);

  gateway.cards.length = 0;
  const second = openclaw.say('[[bash:echo by-operator]]');
  const other = await firstCard();
  const [, code = ''] = /\(([a-z]{5})\)/.exec(other.title) ?? [];
  expect((await home.command('deny', code)).code).toBe(0);
  expect(await second).toContain('Bash failed');
  await other.over;
  expect(other.decision).toBe('deny');
  await until('both verdicts', () => verdicts(bridge).length === 2);
  expect(verdicts(bridge)).toMatchObject([
    { verdict: 'allow', by: 'gateway' },
    { verdict: 'deny', by: 'cli', code },
  ]);
});

test('what comes after an answer that the operator gave reaches the chat by itself, and tools run for the operator', async () => {
  const bridge = await up();
  const openclaw = client(bridge);
  const question = await openclaw.say(`[[bash:echo ${long}]][[say:The end.]]`);
  const [, code = ''] = /approve ([a-z]{5})/.exec(question ?? '') ?? [];
  expect((await home.command('approve', code)).code).toBe(0);
  const late = await until('the late answer', () => gateway.sent[0], 30_000);
  expect(late).toMatchObject({
    channel: 'telegram',
    to: '4242',
    message: expect.stringContaining('The end.'),
  });
  expect(late.message).toContain('allowed by the operator');
  expect(await openclaw.say('and now?')).not.toContain('The end.');

  expect((await home.command('send', key, '[[tool:exec {"command":"date"}]]')).stdout).toContain(
    'exec answered: done',
  );
  expect(gateway.invocations).toMatchObject([{ body: { tool: 'exec', sessionKey: key } }]);
});

test.each([
  ['the gateway brings it at once', true],
  ['the next answer brings it', false],
])('what Claude says when a background task ends reaches the chat once: %s', async (_, reached) => {
  if (!reached) writeFileSync(join(home.path, '.config/synthesis/config.json'), '{}');
  const bridge = reached ? await up() : await home.up();
  const openclaw = client(bridge);
  await openclaw.say('go [[bg:the build is done]]');
  const news = expect.stringMatching(/^_\(about a background task\)_\n\nYou said: the build is done/);
  await until('its end', () => bridge.lines.some(isOwnEnd(bridge)), 30_000);
  if (reached) {
    const sent = await until('the message', () => gateway.sent[0], 30_000);
    expect(sent).toMatchObject({ channel: 'telegram', to: '4242', message: news });
    await until('the journal', () => bridge.lines.some(({ request }) => request === 'gateway'));
  }
  const next = await openclaw.say('and now?');
  if (reached) expect(next).not.toContain('the build is done');
  else expect(next).toEqual(news);
  expect(next).toContain('and now?');
  expect(await openclaw.say('really?')).not.toContain('the build is done');
  expect(gateway.sent).toHaveLength(reached ? 1 : 0);
  expect((await home.command('inspect', key)).stdout).toContain('a background task, ');
});

/** The end of a turn that nobody asked for. */
const isOwnEnd =
  ({ lines }: RunningBridge) =>
  ({ event, turn }: Record<string, unknown>) =>
    event === 'turn.settled' &&
    lines.some((line) => line.event === 'turn.adopted' && line.turn === turn && line.origin !== undefined);

test('a card outlives a bridge that is killed, and its button answers the next one', async () => {
  const bridge = await up();
  const cut = client(bridge)
    .say('[[bash:echo pressed-$((20+2))]]')
    .catch(() => 'cut off');
  const card = await firstCard();
  await bridge.kill();
  await cut;
  card.awaited = false;
  const next = await up();
  await until('the card to be found', () => card.awaited);
  card.end('allow-once', 'channel');
  await until('the verdict', () => verdicts(next).length > 0);
  expect(verdicts(next)).toMatchObject([{ verdict: 'allow', by: 'gateway' }]);
  await until('the end', () => next.lines.some(({ event }) => event === 'turn.settled'));
  expect(await client(next).say('and now?')).toContain('pressed-22');
});

test('a reply that was being sent when the bridge was killed is not sent again, and Claude hears that it may have been', async () => {
  // Where the channel server of a Claude that goes on looks for the next bridge.
  const port = String(await lastingPort());
  const bridge = await up(port);
  gateway.mute.add('send');
  const cut = client(bridge).say('[[tool:reply {"text":"half way there"}]][[say:The end.]]');
  // On disk: one that is not comes again from the channel.
  await until(
    'the call',
    () => rowsOnDisk(home.state).some(({ event }) => event.type === 'tool.called'),
    30_000,
  );
  await bridge.kill();
  await cut;
  gateway.mute.clear();
  const next = await up(port);
  expect(await client(next).say('and now?')).toMatch(
    /reply failed: .*may have been carried out[\s\S]*The end\./,
  );
  expect(gateway.sent).toEqual([]);
});

test('a bridge that is killed with its Claude Codes leaves a card, which its successor closes; the state of the connection is shown', async () => {
  const bridge = await up();
  void client(bridge).say('[[bash:echo never]]');
  const card = await firstCard();
  const shown = `OpenClaw gateway ${gateway.url.replace('http', 'ws')}: connected`;
  expect((await home.command('ps')).stderr).toContain(shown);
  await bridge.kill();
  await home.killHosts();
  const next = await up();
  await card.over;
  expect(card.decision).toBe('deny');
  expect(verdicts(bridge, next)).toEqual([]);

  const { checks } = JSON.parse((await home.command('doctor', '--json')).stdout);
  expect(checks).toContainEqual(
    expect.objectContaining({ name: 'openclaw-gateway', status: 'ok', message: shown }),
  );
  await gateway.stop();
  await until('the loss', () =>
    next.lines.some((line) => line.kind === 'openclaw' && line.state === 'reconnecting'),
  );
  expect((await home.command('ps', '--check')).code).toBe(7);
  expect((await home.command('doctor')).stdout).toContain('warn  openclaw-gateway');
  await next.end();
  expect(filesWith(home.state, gateway.token)).toEqual([]);
  expect(`${JSON.stringify([bridge.lines, next.lines])}${next.stderr}`).not.toContain(gateway.token);
});

test('over a working folder that holds the state folder the bridge warns, and no file of its own reaches the chat', async () => {
  const bridge = await home.up({
    args: ['--cwd', home.path, '--claude', simulatedClaude, '--delivery', 'terminal'],
  });
  expect(bridge.lines[0]?.notices).toEqual([
    expect.stringContaining(`${home.path} holds the bridge's own files (${home.state}, `),
  ]);
  await until('the connection', () => gateway.connections === 1);
  for (const file of [
    'state/token',
    'state/journal.db',
    '.config/synthesis/config.json',
    '.config/synthesis/gateway.token',
  ]) {
    const call = `[[tool:reply ${JSON.stringify({ text: 'here', files: [file] })}]]`;
    expect(await client(bridge).say(call)).toContain('belongs to the bridge or to Claude Code itself');
  }
  expect(gateway.sent).toEqual([]);
  const doctor = await home.run(['doctor', '--state-dir', home.state], { env: { SYNTHESIS_CWD: home.path } });
  expect(doctor.stdout).toMatch(/warn\s+folders\s+\S+ holds the bridge's own files/);
});

test('doctor asks the gateway itself where no bridge runs, and a refused token is said', async () => {
  const look = async () => {
    const { checks } = JSON.parse((await home.command('doctor', '--json')).stdout) as {
      checks: { name: string; status: string; message: string }[];
    };
    return checks.filter(({ name }) => name === 'openclaw-gateway');
  };
  expect(await look()).toMatchObject([{ status: 'ok', message: expect.stringContaining('takes the token') }]);
  const { token } = gateway;
  gateway.token = 'changed in OpenClaw';
  expect(await look()).toMatchObject([
    { status: 'failed', message: expect.stringContaining('token mismatch') },
  ]);
  const bridge = await home.up();
  await until('the refusal', () => bridge.lines.some((line) => line.state === 'disconnected'));
  expect(await look()).toMatchObject([{ status: 'failed' }, { status: 'ok' }]);
  expect(await client(bridge).say('good morning')).toContain('good morning');
  gateway.token = token;
});

/** Files below a folder that hold a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile() && readFileSync(file).includes(text));
}
