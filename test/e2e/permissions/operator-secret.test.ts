// With `operator.secret` set nothing is decided on this machine without it: the built program, real keys and a real
// ssh-agent.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fromBase32 } from '../../../src/bridge/operator-secret/base32.ts';
import { codeAt } from '../../../src/bridge/operator-secret/totp.ts';
import { codeIn } from '../../support/code-in.ts';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { Pty } from '../../support/pty.ts';
import { SshAgent } from '../../support/ssh-agent.ts';
import { SshKeys } from '../../support/ssh-keys.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';
import { keys as keysOf, Tui } from '../support/tui.ts';

/** At a terminal. @param typed what is typed at which words, in this order */
async function person(
  home: Home,
  args: readonly string[],
  {
    typed = [],
    env,
  }: {
    typed?: readonly (readonly [words: string, answer: (raw: string) => string])[];
    env?: Record<string, string>;
  } = {},
): Promise<{ code: number | undefined; text: string }> {
  await using pty = new Pty(home.argv(...args, '--state-dir', home.state), {
    cwd: home.cwd,
    env: home.env(env),
    cols: 200,
    rows: 30,
  });
  let from = 0;
  for (const [words, answer] of typed) {
    await until(
      () => `"${words}": ${pty.raw}`,
      () => pty.raw.includes(words, from),
      20_000,
    );
    from = pty.raw.length;
    pty.type(`${answer(pty.raw)}\r`);
  }
  await until(
    () => `the end of ${args[0]}: ${pty.raw}`,
    () => pty.exitCode !== undefined,
    30_000,
  );
  return { code: pty.exitCode, text: pty.raw };
}

async function asks(bridge: RunningBridge, command = 'touch precious.txt'): Promise<string> {
  const question = await bridge.ask('s', `[[bash:${command}]]`);
  const code = codeIn(question);
  expect(code, question).not.toBe('');
  return code;
}

const ran = (home: Home) => existsSync(join(home.cwd, 'precious.txt'));

/** A home whose decisions take a key that an agent has. */
async function withKey(home: Home) {
  const keys = new SshKeys();
  const key = keys.make();
  home.configure({ operator: { secret: { kind: 'ssh-key', keys: [key.line] } } });
  const agent = await SshAgent.start(keys.folder, key.file);
  return {
    key,
    agent,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      keys[Symbol.dispose]();
    },
  };
}

test('approve is signed by the agent, and the row says with which key', async () => {
  await using home = new Home();
  await using mine = await withKey(home);
  const bridge = await home.up();
  expect(JSON.stringify(bridge.lines[0])).toContain(
    `The operator secret is in force (${mine.key.fingerprint}): nothing is decided on this machine without it.`,
  );
  await using operator = await OperatorSocket.open(home.state);
  const code = await asks(bridge);
  // The same person at the same terminal, without the key.
  const without = await person(home, ['approve', code, '-y']);
  expect(without).toMatchObject({
    code: 5,
    text: expect.stringContaining('None of the keys of `operator.secret`'),
  });
  expect(ran(home)).toBe(false);

  const done = await person(home, ['approve', code, '-y'], { env: mine.agent.env });
  expect(done).toMatchObject({ code: 0, text: expect.stringContaining('Allowed: Bash') });
  await until('the tool to run', () => ran(home), 20_000);
  const by = `ssh-ed25519 ${mine.key.fingerprint}`;
  expect(operator.events('permission.decided')).toMatchObject([
    { code, by: 'cli', who: expect.stringMatching(/^pts\/\d+.*; proven by ssh-ed25519 SHA256:/) },
  ]);
  expect(operator.events('bridge.proven')).toMatchObject([{ method: 'permission.decide', by }]);
  expect((await home.command('audit')).stdout).toContain(`proven by ${by}`);
});

test('a script with a token of scope operate decides nothing, and still says no and panics', async () => {
  await using home = new Home();
  await using mine = await withKey(home);
  const bridge = await home.up();
  const code = await asks(bridge);
  const tried = await home.command('approve', code, '-y', '--json');
  expect([tried.code, JSON.parse(tried.stdout)]).toMatchObject([5, { error: { code: 'no_key' } }]);
  await using operator = await OperatorSocket.open(home.state);
  const { digest } = await operator.call<{ digest: string }>('permission.show', { code });
  await expect(operator.call('permission.decide', { code, verdict: 'allow', shown: digest })).rejects.toThrow(
    'proof_wanted: Nothing is decided on this machine without a signature of your SSH key.',
  );
  for (const method of ['bridge.resume', 'cluster.drain'])
    await expect(operator.call(method)).rejects.toThrow('proof_wanted');
  expect((await home.command('deny', code)).code).toBe(0);
  expect((await home.command('panic')).code).toBe(0);
  expect((await home.command('resume', '-y')).code).toBe(5);
  // With the key a script decides, too: it is the key that counts.
  expect(await home.run(['resume', '-y', '--state-dir', home.state], { env: mine.agent.env })).toMatchObject({
    code: 0,
  });
  expect(ran(home)).toBe(false);
});

test("what reaches the user's own tmux decides nothing, and sees the words that say so", async () => {
  await using home = new Home();
  await using mine = await withKey(home);
  const bridge = await home.up();
  const socket = join(home.path, 'tmux.sock');
  const tmux = (...args: string[]) => ['tmux', '-S', socket, '-f', '/dev/null', ...args] as const;
  await using server = new Pty(tmux('new-session', '-s', 'mine', 'cat'), {
    cwd: home.cwd,
    env: home.env(),
    cols: 120,
    rows: 30,
  });
  await until('the tmux of the user', () => existsSync(socket), 20_000);
  const out = join(home.cwd, 'told.txt');
  const approve = home.argv('approve', '"$code"', '-y', '--state-dir', home.state).join(' ');
  writeFileSync(
    join(home.cwd, 'in-tmux.sh'),
    `until [ -s code.txt ]; do sleep 0.1; done; code=$(cat code.txt); ${approve} >"${out}" 2>&1; echo $? >>"${out}"`,
  );
  const first = await asks(
    bridge,
    `tmux -S ${socket} new-window -d "cd ${home.cwd} && sh in-tmux.sh"; echo laundered`,
  );
  expect(await bridge.ask('s', `yes ${first}`)).toContain('laundered');
  const second = await asks(bridge);
  writeFileSync(join(home.cwd, 'code.txt'), second);
  const told = await until(
    'its try',
    () => existsSync(out) && /\d+\n$/.exec(readFileSync(out, 'utf8')) && readFileSync(out, 'utf8'),
    30_000,
  );
  expect(told).toContain('None of the keys of `operator.secret` is in ~/.ssh, and no ssh-agent runs.');
  expect(told.trimEnd().endsWith('5')).toBe(true);
  expect(ran(home)).toBe(false);
  expect(await person(home, ['approve', second, '-y'], { env: mine.agent.env })).toMatchObject({ code: 0 });
  await until('the tool to run', () => ran(home), 20_000);
  expect(server.exitCode).toBeUndefined();
});

const appKey = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** Each counts once, so the second one is that of the next half minute. */
const appCode = (steps = 0, key = appKey) =>
  codeAt(fromBase32(key) ?? Buffer.alloc(0), Date.now() + steps * 30_000);
const wrongCode = () => String((Number(appCode()) + 1) % 1_000_000).padStart(6, '0');

function withApp(home: Home): void {
  const file = join(home.path, 'totp');
  writeFileSync(file, `${appKey}\n`, { mode: 0o600 });
  home.configure({ operator: { secret: { kind: 'totp', file } } });
}
const asked = 'Code from your app: ';

test('a code of the app is typed, a wrong one is asked for again, and each counts once', async () => {
  await using home = new Home();
  withApp(home);
  const bridge = await home.up();
  await using operator = await OperatorSocket.open(home.state);
  const first = await asks(bridge);
  let used = '';
  const done = await person(home, ['approve', first], {
    typed: [
      ['[no]: ', () => 'yes'],
      [asked, wrongCode],
      [asked, () => (used = appCode())],
    ],
  });
  expect(done).toMatchObject({ code: 0, text: expect.stringContaining('That code is wrong.') });
  await until('the tool to run', () => ran(home), 20_000);
  expect(operator.events('permission.decided')).toMatchObject([
    { who: expect.stringMatching(/; proven by code$/) },
  ]);
  expect(operator.events('bridge.refused')).toMatchObject([
    { method: 'permission.decide', caller: 'operator', why: 'That code is wrong.' },
  ]);

  // No restart makes it good again.
  await bridge.end();
  await home.up();
  const resume = (code: string) =>
    home.run(['resume', '-y', '--state-dir', home.state], { env: { SYNTHESIS_CODE: code } });
  expect(await resume(used)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining(
      'That code was used already: wait for the next one. Nothing was decided.',
    ),
  });
  expect(await resume(appCode(1))).toMatchObject({ code: 0, stderr: 'Nothing is stopped.' });
});

test('a bridge that ends while a code is asked for ends the asking, in words', async () => {
  await using home = new Home();
  withApp(home);
  const bridge = await home.up();
  const code = await asks(bridge);
  await using pty = new Pty(home.argv('approve', code, '-y', '--state-dir', home.state), {
    cwd: home.cwd,
    env: home.env(),
    cols: 200,
    rows: 30,
  });
  await until('the prompt', () => pty.raw.includes(asked), 20_000);
  await bridge.kill();
  await until(
    () => `the end of approve: ${pty.raw}`,
    () => pty.exitCode !== undefined,
    20_000,
  );
  expect(pty).toMatchObject({
    exitCode: 1,
    raw: expect.stringContaining('The bridge ended before it answered.'),
  });
});

test('the screen asks for the code beside the question', async () => {
  await using home = new Home();
  withApp(home);
  const bridge = await home.up();
  const code = await asks(bridge);
  await using tui = new Tui(['attach', '--state-dir', home.state], home.env(), 100, 30);
  await until('the question', () => tui.screen.includes(code), 20_000);
  tui.type('p');
  await until('all of it', () => tui.screen.includes('allow once'), 20_000);
  tui.type('a');
  await until('the second key', () => tui.screen.includes('Allow it this once?'), 20_000);
  tui.type('\x19');
  await until('the field', () => tui.screen.includes('Code from your app'), 20_000);
  expect(ran(home)).toBe(false);
  tui.type(`${appCode()}${keysOf.enter}`);
  await until('the tool to run', () => ran(home), 20_000);
  await until('the field to go', () => !tui.screen.includes('Code from your app'), 20_000);
});

test('the screen has the key sign, and Claude is driven with one proof', async () => {
  await using home = new Home();
  await using mine = await withKey(home);
  const bridge = await home.up();
  await using operator = await OperatorSocket.open(home.state);
  const code = await asks(bridge);
  await using tui = new Tui(['attach', '--state-dir', home.state], home.env(mine.agent.env), 100, 30);
  await until('the question', () => tui.screen.includes(code), 20_000);
  tui.type('p');
  await until('all of it', () => tui.screen.includes('allow once'), 20_000);
  tui.type('a');
  await until('the second key', () => tui.screen.includes('Allow it this once?'), 20_000);
  tui.type('\x19');
  await until('the tool to run', () => ran(home), 20_000);

  const argv = home.argv('attach', '--state-dir', home.state, 's', '--drive');
  await using driver = new Pty(argv, { cwd: home.cwd, env: home.env(mine.agent.env), cols: 100, rows: 31 });
  await until(
    () => `the seat: ${driver.screen}`,
    () => driver.rows[30]?.includes('you type'),
    30_000,
  );
  driver.type('[[say:typed by hand]]\r');
  await until('the answer', () => driver.screen.includes('typed by hand'), 20_000);
  expect(operator.events('bridge.proven').map(({ method }) => method)).toEqual([
    'permission.decide',
    'terminal.attach',
  ]);
});

/** Drives Claude over a kill of the bridge. @returns the last row once it says how that went on */
async function driveOver(home: Home, env: Record<string, string>, typed?: () => string): Promise<string> {
  const bridge = await home.up();
  await bridge.ask('s', '[[say:hello]]');
  const argv = home.argv('attach', '--state-dir', home.state, 's', '--drive');
  await using driver = new Pty(argv, { cwd: home.cwd, env: home.env(env), cols: 100, rows: 31 });
  if (typed) {
    await until('the prompt', () => driver.raw.includes(asked), 20_000);
    driver.type(`${typed()}\r`);
  }
  const last = () => driver.rows[30] ?? '';
  await until(
    () => `the seat: ${driver.screen}`,
    () => last().includes('you type'),
    30_000,
  );
  await bridge.kill();
  await home.up();
  const went = /you type again|read-only now[^|]*/;
  await until(
    () => `the seat again: ${driver.screen}`,
    () => went.test(last()),
    40_000,
  );
  return went.exec(last())?.[0].trim() ?? '';
}

test('who drives goes on after a restart with their key, and only looks where a code would have to be typed', async () => {
  await using home = new Home();
  await using mine = await withKey(home);
  expect(await driveOver(home, mine.agent.env)).toBe('you type again');
  await using other = new Home();
  withApp(other);
  expect(await driveOver(other, {}, () => appCode())).toBe(
    'read-only now: typing takes a code, attach again',
  );
});

test('a panic is lifted with it while no bridge runs, too', async () => {
  await using home = new Home();
  withApp(home);
  await home.command('panic');
  const lift = ['resume', '-y'];
  const wrong = await person(home, lift, {
    typed: [
      [asked, wrongCode],
      [asked, wrongCode],
      [asked, wrongCode],
    ],
  });
  expect(wrong).toMatchObject({ code: 5, text: expect.stringContaining('Nothing was changed') });
  expect(existsSync(join(home.state, 'panic.json'))).toBe(true);
  expect(await person(home, lift, { typed: [[asked, () => appCode()]] })).toMatchObject({
    code: 0,
    text: expect.stringContaining('Work goes on.'),
  });
  expect(existsSync(join(home.state, 'panic.json'))).toBe(false);
});

const configOf = (home: Home) =>
  JSON.parse(readFileSync(join(home.path, '.config/synthesis/config.json'), 'utf8'));
const inState = (home: Home) => ({ SYNTHESIS_STATE_DIR: home.state });

test('commands change it with a proof of the old one, and what an editor took away is said at the next start', async () => {
  await using home = new Home();
  await using mine = await withKey(home);
  const before = configOf(home);
  await (await home.up()).end();
  for (const args of [
    ['config', 'set', 'operator.secret', '{"kind":"totp","file":"/tmp/other"}'],
    ['config', 'unset', 'operator.secret'],
    ['config', 'unset', 'operator'],
    ['secret', 'remove'],
  ])
    expect([args, await home.run(args, { env: inState(home) })]).toMatchObject([
      args,
      { code: 5, stderr: expect.stringContaining('None of the keys') },
    ]);
  expect(configOf(home)).toEqual(before);
  // Another key of it is nobody's secret.
  expect((await home.run(['config', 'set', 'operator.unattended', 'refuse'])).code).toBe(0);

  home.configure({});
  const bridge = await home.up();
  const words = `The operator secret (${mine.key.fingerprint}) was taken out of the configuration`;
  expect(JSON.stringify(bridge.lines)).toContain(words);
  await using operator = await OperatorSocket.open(home.state);
  await until('rows of both starts', () => operator.events('bridge.secret').length === 2);
  expect(operator.events('bridge.secret')).toMatchObject([
    { was: null, now: mine.key.fingerprint },
    { was: mine.key.fingerprint, now: null },
  ]);
  expect((await home.command('doctor')).stdout).toContain(words);
});

test('secret new sets it, and secret remove takes it away with a proof', async () => {
  await using home = new Home();
  using keys = new SshKeys();
  const key = keys.make();
  await using agent = await SshAgent.start(keys.folder, key.file);
  const made = await home.run([
    'secret',
    'new',
    '--ssh-key',
    `${key.file}.pub`,
    '--json',
    '--state-dir',
    home.state,
  ]);
  expect([made.code, JSON.parse(made.stdout)]).toEqual([0, { kind: 'ssh-key', keys: [key.line] }]);
  const doctor = await home.command('doctor');
  expect(doctor.stdout).toContain(
    `Nothing is allowed here without your key (${key.fingerprint}). The key does not show what you allow.`,
  );

  // From the key to an app: the old one signs, and the new one is tried before it holds.
  let app = '';
  const changed = await person(home, ['secret', 'new', '--totp'], {
    env: agent.env,
    typed: [
      ['The code that it shows now: ', () => '000000'],
      [
        'The code that it shows now: ',
        (raw) => {
          app = /^[A-Z2-7]{32}(?=\r$)/m.exec(raw)?.[0] ?? '';
          return appCode(0, app);
        },
      ],
    ],
  });
  expect(changed).toMatchObject({ code: 0, text: expect.stringContaining('otpauth://totp/synthesis:') });
  const file = join(home.state, 'secrets', 'totp');
  expect([configOf(home).operator, readFileSync(file, 'utf8').trim(), statSync(file).mode & 0o777]).toEqual([
    { secret: { kind: 'totp', file } },
    app,
    0o600,
  ]);

  const bridge = await home.up();
  const code = await asks(bridge);
  const env = { SYNTHESIS_CODE: appCode(0, app) };
  expect((await home.run(['approve', code, '-y', '--state-dir', home.state], { env })).code).toBe(0);
  const removed = await person(home, ['secret', 'remove'], { typed: [[asked, () => appCode(1, app)]] });
  expect([removed.code, configOf(home)]).toEqual([0, { operator: {} }]);
});

test('a bridge that cannot read its secret does not start', async () => {
  await using home = new Home();
  home.configure({ operator: { secret: { kind: 'totp', file: join(home.path, 'none') } } });
  const up = await home.run(['up', '--json', '--state-dir', home.state]);
  expect(up).toMatchObject({ code: 1, stdout: expect.stringContaining('The key of the app cannot be read') });
});
