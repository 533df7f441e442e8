// `synthesis token`, with a running bridge and without one.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

type View = { id: string; name: string | null; expired: boolean; last_used: string | null; scopes: string[] };

const token = (home: Home, verb: string, ...args: string[]) =>
  home.run(['token', verb, '--state-dir', home.state, ...args]);
const made = async (home: Home, ...args: string[]) => (await token(home, 'new', ...args)).stdout;
const listed = async (home: Home) => JSON.parse((await token(home, 'list', '--json')).stdout) as View[];

interface Told {
  status: number | undefined;
  code: string | undefined;
  reused: boolean;
}

/** One connection, which is kept. */
function connection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const begin = (secret: string, body: object, path = '/v1/chat/completions') =>
    new Promise<{ response: IncomingMessage; reused: boolean }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const sent = request(new URL(path, url), { agent, method: 'POST', headers }, (response) =>
        resolve({ response, reused: sent.reusedSocket }),
      );
      sent.on('error', reject).end(JSON.stringify(body));
    });
  const ask = async (secret: string, session = 's'): Promise<Told> => {
    const { response, reused } = await begin(secret, { ...hi, user: session });
    const { error } = JSON.parse(await text(response)) as { error?: { code: string } };
    return { status: response.statusCode, code: error?.code, reused };
  };
  return { begin, ask };
}

const says = (content: string) => ({ model: 'claude', messages: [{ role: 'user', content }] });
const hi = says('hi');

test('a token is made, used, revoked and refused on the same connection, and the bridge is not started anew', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const secret = await made(home, '--scope', 'chat', '--name', 'codex');
  expect(secret).toMatch(/^syn_[a-z0-9]{8}_[\w-]{43}$/);
  const { ask } = connection(bridge.at.url);
  expect(await ask(secret)).toEqual({ status: 200, code: undefined, reused: false });
  expect((await listed(home)).find(({ name }) => name === 'codex')?.last_used).toMatch(/:00:00\.000Z$/);
  const revoked = await token(home, 'revoke', 'codex');
  expect([revoked.code, revoked.stderr]).toEqual([0, expect.stringContaining('Revoked codex (')]);
  expect(await ask(secret)).toEqual({ status: 401, code: 'invalid_api_key', reused: true });
  expect((await ask(bridge.token)).status).toBe(200);
  expect(bridge.child.exitCode).toBeNull();
});

test('an answer that is being sent when its token is revoked comes whole, and the next request is refused', async () => {
  await using home = new Home();
  const bridge = await home.up({ env: { SYNTHESIS_PERMISSION_MODE: 'bypassPermissions' } });
  const secret = await made(home, '--scope', 'chat', '--name', 'codex');
  const { begin, ask } = connection(bridge.at.url);
  const gate = join(home.cwd, 'gate');
  const wait = `[[bash:while [ ! -e ${gate} ]; do sleep 0.05; done; echo passed]]`;
  const { response, reused } = await begin(secret, { ...says(wait), user: 's', stream: true });
  expect([response.statusCode, reused]).toEqual([200, false]);
  expect((await token(home, 'revoke', 'codex')).code).toBe(0);
  expect([response.complete, response.destroyed]).toEqual([false, false]);
  writeFileSync(gate, '');
  expect(await text(response)).toMatch(/passed[\s\S]*data: \[DONE\]/);
  expect(await ask(secret)).toMatchObject({ status: 401 });
});

test('the bridge’s own token is rotated while it runs, OpenClaw’s part is said, and tokens survive a restart', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const secret = await made(home, '--scope', 'chat');
  const { ask } = connection(bridge.at.url);
  const old = bridge.token;
  const first = await token(home, 'rotate');
  expect([first.code, first.stdout, first.stderr.includes('openclaw secrets reload')]).toEqual([
    0,
    '',
    false,
  ]);
  expect(first.stderr).toContain(bridge.at.token_file);
  expect(bridge.token).not.toBe(old);
  expect([(await ask(old)).status, (await ask(bridge.token)).status]).toEqual([401, 200]);
  writeFileSync(join(home.state, 'openclaw.json'), '{}', { mode: 0o600 });
  const second = await token(home, 'rotate');
  expect(second.stderr).toContain('run `openclaw secrets reload` now');
  await bridge.end();
  const next = await home.up();
  const again = connection(next.at.url);
  expect([(await again.ask(next.token)).status, (await again.ask(secret)).status]).toEqual([200, 200]);
});

test('without a bridge, and where none ever ran, tokens are made, listed, rotated and revoked all the same', async () => {
  await using home = new Home();
  expect(await listed(home)).toEqual([]);
  expect(existsSync(home.state)).toBe(false);
  const secret = await made(home, '--scope', 'chat,models', '--session', 'user:*', '--expires', '30d');
  const [view] = await listed(home);
  expect(view).toMatchObject({
    scopes: ['chat', 'models'],
    session: 'user:*',
    expired: false,
    last_used: null,
  });
  const rotated = (await token(home, 'rotate', view?.id ?? '')).stdout;
  expect(rotated).not.toBe(secret);
  expect(rotated.split('_')[1]).toBe(view?.id);
  expect((await token(home, 'rotate', '--json')).stdout).toBe(
    JSON.stringify({ id: 'bridge', file: join(home.state, 'token') }),
  );
  const bridge = await home.up();
  const { ask } = connection(bridge.at.url);
  const told = [await ask(secret), await ask(rotated), await ask(bridge.token)];
  expect(told.map(({ status }) => status)).toEqual([401, 200, 200]);
  await bridge.end();
  const revoked = JSON.parse((await token(home, 'revoke', '--json', view?.id ?? '')).stdout);
  expect(revoked).toMatchObject({ revoked: [{ id: view?.id }] });
  expect((await listed(home)).map(({ id }) => id)).toEqual(['bridge']);
  const text = readdirSync(home.state, { withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ name }) => readFileSync(join(home.state, name), 'latin1'))
    .join();
  for (const each of [secret, rotated]) expect(text).not.toContain(each.split('_').slice(2).join('_'));
});

test('what cannot be meant is refused in words, with the nearest that can, and changes nothing', async () => {
  await using home = new Home();
  await made(home, '--scope', 'chat', '--name', 'codex');
  const before = await listed(home);
  const told = async (verb: string, ...args: string[]) => {
    const { code, stdout, stderr } = await token(home, verb, ...args);
    return [code, stdout, stderr];
  };
  const says = (words: string) => expect.stringContaining(words);
  expect(await told('new')).toEqual([2, '', says("required option '--scope <scope>' not specified")]);
  expect(await told('new', '--scope', 'metrcs')).toEqual([
    2,
    '',
    says('"metrcs" is no scope; did you mean "metrics"? Nothing was'),
  ]);
  expect(await told('new', '--scope', 'admin')).toEqual([
    2,
    '',
    says('one of chat, models, metrics, operate:'),
  ]);
  for (const expires of ['30', '0d', '-1d', 'tomorrow', '99999d'])
    expect(await told('new', '--scope', 'chat', `--expires=${expires}`)).toEqual([
      2,
      '',
      says('such as 12h'),
    ]);
  expect(await told('new', '--scope', 'chat', '--session', ' ')).toEqual([2, '', says('no key of a conv')]);
  expect(await told('new', '--scope', 'chat', '--name', 'a\nb')).toEqual([2, '', says('on one line')]);
  expect(await told('revoke', 'kodex')).toEqual([4, '', says('did you mean "codex"? Nothing was changed.')]);
  expect(await told('revoke', 'codex', 'nobody')).toEqual([4, '', says('There is no token "nobody".')]);
  expect(await told('rotate', 'nobody')).toEqual([4, '', says('`synthesis token list`')]);
  expect(await told('revoke', 'bridge')).toEqual([2, '', says('`synthesis token rotate`')]);
  expect(JSON.parse((await token(home, 'revoke', '--json', 'nobody')).stdout)).toMatchObject({
    error: { code: 'no_such_token', recoverable: true },
  });
  expect(await listed(home)).toEqual(before);
  writeFileSync(join(home.state, 'tokens.json'), '{');
  expect(await told('new', '--scope', 'chat')).toEqual([1, '', says('is damaged: no token in it holds.')]);
  expect(await told('list')).toEqual([1, '', says('move it away')]);
});

test('Tab knows ids and scopes', async () => {
  await using home = new Home();
  await made(home, '--scope', 'chat', '--name', 'codex');
  const [view] = await listed(home);
  const tab = async (...words: string[]) =>
    (await home.run(['complete', '--state-dir', home.state, '--', ...words])).stdout;
  expect(await tab('token', 'revoke', '')).toContain(`${view?.id}\tcodex`);
  expect(await tab('token', 'new', '--scope', '')).toContain('metrics');
});

test('a token whose time is over is told so, and listed as expired', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const secret = await made(home, '--scope', 'chat', '--expires', '1s');
  const { ask } = connection(bridge.at.url);
  const code = await until('its end', async () => {
    const told = await ask(secret);
    return told.status === 401 && told.code;
  });
  expect(code).toBe('token_expired');
  expect((await listed(home)).at(-1)).toMatchObject({ expired: true });
  expect((await token(home, 'list')).stdout).toMatch(/ expired /);
});

test('a script without a terminal decides with a token of the scope operate, and with no other one', async () => {
  await using home = new Home();
  // Also where the system does not tell who calls.
  home.configure({ operator: { unknown: 'refuse' } });
  await home.up();
  const resume = async (env: Record<string, string> = {}) => {
    const argv = home.argv('resume', '--json', '--state-dir', home.state);
    const options = { env: home.env(env), extendEnv: false, reject: false, timeout: 60_000 } as const;
    // Away from the terminal that the tests may run in.
    const { exitCode, stdout } = await execa('setsid', ['--wait', ...argv], { ...options, stdin: 'ignore' });
    const { error } = JSON.parse(stdout) as { error?: { code: string } };
    return [exitCode, error?.code];
  };
  const refused = await resume();
  expect(refused[1]).toBe('not_allowed');
  const secret = await made(home, '--scope', 'operate', '--name', 'nightly');
  const file = join(home.path, 'nightly.token');
  writeFileSync(file, secret, { mode: 0o600 });
  expect(await resume({ SYNTHESIS_TOKEN: secret })).toEqual([0, undefined]);
  expect(await resume({ SYNTHESIS_TOKEN_FILE: file })).toEqual([0, undefined]);
  const others = [
    await made(home, '--scope', 'chat,models,metrics'),
    await made(home, '--scope', 'operate', '--session', 'team:*'),
  ];
  for (const other of others) expect(await resume({ SYNTHESIS_TOKEN: other })).toEqual(refused);
  expect(await resume({ SYNTHESIS_TOKEN: 'hunter2' })).toEqual([5, 'bad_token']);
  await token(home, 'revoke', 'nightly');
  expect(await resume({ SYNTHESIS_TOKEN: secret })).toEqual(refused);
});
