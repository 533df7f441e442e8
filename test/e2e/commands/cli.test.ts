// The program as a stranger meets it: exit codes, words, and what each command does to a running bridge.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home, simulatedClaude } from '../support/program.ts';

test('the demo plays the whole loop, every step of it', async () => {
  await using home = new Home();
  const { code, stdout } = await home.run(['demo']);
  expect(stdout).toContain('That was the whole loop.');
  expect(stdout).not.toContain('did not work');
  expect(code).toBe(0);
});

test('up prints where it is, serves, and ends cleanly on SIGTERM', async () => {
  await using home = new Home();
  const bridge = await home.up();
  expect(Object.keys(bridge.at)).toEqual([
    'event',
    'url',
    'pid',
    'state_dir',
    'token_file',
    'control',
    'notices',
  ]);
  expect(bridge.at).toMatchObject({ pid: bridge.child.pid, state_dir: home.state });
  const health = await (await fetch(`${bridge.at.url}/healthz`)).json();
  expect(health).toEqual({ status: 'healthy' });
  for (const file of [bridge.at.token_file, bridge.at.control]) {
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  }
  expect((statSync(home.state).mode & 0o777).toString(8)).toBe('700');
  expect(await bridge.end()).toBe(0);
});

test('the port says what it is and which paths there are, without a token, and nothing of its state', async () => {
  await using home = new Home();
  const { at } = await home.up();
  await home.command('send', '--create', 'secret:key', 'hi');
  const root = await fetch(at.url);
  expect([root.status, root.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const text = await root.text();
  expect(text).toMatch(/^This is synthesis: [\s\S]+\/v1[\s\S]+\/healthz\n.*synthesis docs http\n$/);
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  for (const kept of [version, readFileSync(at.token_file, 'utf8').trim(), 'secret:key', home.path])
    expect(text).not.toContain(kept);
  const head = await fetch(at.url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    String(text.length),
    '',
  ]);
  const post = await fetch(at.url, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET']);
  const unknown = await (await fetch(`${at.url}/favicon.ico`)).json();
  expect(unknown).toMatchObject({
    error: {
      code: 'not_found',
      message: expect.stringMatching(
        /^GET \/favicon.ico is not served here\. These are: GET \/, GET \/healthz, /,
      ),
    },
  });
  const elsewhere = await fetch(at.url, { headers: { origin: 'https://evil.example' } });
  expect(elsewhere.status).toBe(403);
});

test('a conversation keeps its Claude session through stop and kill -9', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask('chat:one', 'first');
  const [before] = JSON.parse((await home.command('ps', '--json')).stdout);
  expect(before).toMatchObject({ key: 'chat:one', state: 'idle', delivery: 'terminal' });
  expect(await bridge.ask('chat:one', 'second')).toContain('I remember 1 earlier');

  expect((await home.command('stop', before.id)).code).toBe(0);
  await until('the end of Claude', async () => {
    const [row] = JSON.parse((await home.command('ps', '--json')).stdout);
    return row.state === 'stopped';
  });
  expect(await bridge.ask('chat:one', 'third')).toContain('I remember 2 earlier');

  await bridge.kill();
  const again = await home.up();
  expect(await again.ask('chat:one', 'fourth')).toContain('I remember 3 earlier');
  const [after] = JSON.parse((await home.command('ps', '--json')).stdout);
  expect(after.claude_session).toBe(before.claude_session);
});

test('send shows the answer; ps, approvals and down speak plainly', async () => {
  await using home = new Home();
  const bridge = await home.up();
  expect((await home.command('ps')).stderr).toContain('No sessions yet');
  const sent = await home.command('send', '--create', 'ops:one', '[[say:all is well]]');
  expect([sent.code, sent.stdout]).toEqual([0, 'all is well']);
  const piped = await home.run(['send', '--state-dir', home.state, 'ops:one', '-'], {
    input: '[[say:piped]]',
  });
  expect(piped.stdout).toBe('piped');
  const table = (await home.command('ps')).stdout.split('\n');
  expect(table[0]).toMatch(/^ID +SESSION +STATE/);
  expect(table[1]).toContain('ops:one');
  expect((await home.command('approvals')).stderr).toContain('Nothing waits');
  const down = await home.command('down');
  expect([down.code, bridge.child.exitCode]).toEqual([0, 0]);
  expect((await home.command('ps')).code).toBe(6);
});

test('a permission is answered from the command line', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const question = await bridge.ask('chat:one', '[[bash:echo made > proof.txt]]');
  const code = /yes ([a-km-z]{5})/.exec(question)?.[1] ?? '';
  const [ask] = JSON.parse((await home.command('approvals', '--json')).stdout);
  expect(ask).toMatchObject({ code, tool: 'Bash', session: 'chat:one' });
  expect((await home.command('approve', code)).code).toBe(0);
  await until('the command', () => statSync(join(home.cwd, 'proof.txt'), { throwIfNoEntry: false }));
  const again = await home.command('deny', code);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('was allowed by the operator')]);
  expect(await bridge.ask('chat:one', 'and now?')).toContain('answered');
});

describe('what can go wrong at the start is said in words', () => {
  test('a typo gets a suggestion and exit 2', async () => {
    await using home = new Home();
    const ran = await home.run(['stpo']);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('Did you mean stop?')]);
  });

  test.each([
    [['approve'], '`synthesis approve --help`'],
    [['policy', 'test', 'one'], '`synthesis policy test --help`'],
    [['up', '--prot', '3'], '`synthesis up --help`'],
  ])('%j is told where to read about that command', async (args, help) => {
    await using home = new Home();
    const ran = await home.run(args);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(help)]);
  });

  test('the port is taken', async () => {
    await using home = new Home();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const ran = await home.run(['up', '--port', String(port), '--state-dir', home.state]);
    taken.close();
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`),
    ]);
  });

  test('a second bridge on one state directory', async () => {
    await using home = new Home();
    const first = await home.up();
    for (const how of [[], ['-d']]) {
      const ran = await home.command('up', '--port', '0', ...how);
      expect([ran.code, ran.stderr]).toEqual([8, expect.stringContaining('already running')]);
    }
    expect((await fetch(`${first.at.url}/healthz`)).status).toBe(200);
    expect((await home.command('ps')).code).toBe(0);
  });

  test('a state directory that is a link: exit 5, and nothing is written behind it', async () => {
    await using home = new Home();
    symlinkSync(home.cwd, home.state);
    for (const command of [['up', '--port', '0'], ['up', '-d', '--port', '0'], ['ps']]) {
      const ran = await home.command(...(command as [string]));
      expect([command, ran.code, ran.stderr]).toEqual([command, 5, expect.stringContaining('symbolic link')]);
    }
    expect(readdirSync(home.cwd)).toEqual([]);
  });

  test.each([
    ['token', ['up', '--port', '0']],
    ['media', ['up', '--port', '0']],
    ['bridge.log', ['up', '--port', '0', '-d']],
    ['up.log', ['up', '--port', '0', '-d']],
    ['bridge.json', ['ps']],
    ['control.sock', ['up', '--port', '0']],
  ])('a %s that somebody planted: exit 5, and what it leads to stays', async (name, command) => {
    await using home = new Home();
    mkdirSync(home.state, { mode: 0o777 });
    const victim = join(home.path, 'victim');
    writeFileSync(victim, 'untouched');
    symlinkSync(victim, join(home.state, name));
    const ran = await home.command(...(command as [string]));
    const words = `${join(home.state, name)} is a symbolic link.\nMove it away, or choose another --state-dir.`;
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining(words)]);
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
  });

  test('an unknown key in the configuration is named, and nothing starts', async () => {
    await using home = new Home();
    const folder = join(home.path, '.config/synthesis');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.json'), '{"prot": 1, "limits": {"liveSessions": 0}}');
    const ran = await home.run(['up', '--port', '0', '--state-dir', home.state]);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringMatching(/limits\.liveSessions[\s\S]*prot: .*`port`/),
    ]);
  });

  test('no bridge: exit 6 and how to start one', async () => {
    await using home = new Home();
    for (const command of [['ps'], ['send', 'x', 'y'], ['stop', 'x'], ['approve', 'abcde'], ['down']]) {
      const ran = await home.command(...(command as [string]));
      expect([command[0], ran.code, ran.stderr]).toEqual([
        command[0],
        6,
        expect.stringContaining('synthesis up'),
      ]);
    }
    const json = await home.command('ps', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'not_running' } });
  });

  test('an unknown session: exit 4', async () => {
    await using home = new Home();
    await home.up();
    const ran = await home.command('stop', 'nobody');
    expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining('There is no session "nobody"')]);
  });
});

describe('trouble of Claude is told in the chat', () => {
  const cases: [string, Record<string, string>, string | undefined, RegExp][] = [
    ['that is not installed', {}, '/nowhere/claude', /was not found/],
    ['that is too old', { SIM_START: 'old' }, undefined, /too old/],
    ['that exits at once', { SIM_START: 'exit:3' }, undefined, /ended right after its start/],
    ['that asks about the folder', { SIM_DIALOG: 'trust' }, undefined, /trust its working folder/],
    ['that asks about its key', { SIM_DIALOG: 'apikey' }, undefined, /shows a question at its start/],
    ['that shows an unknown question', { SIM_DIALOG: 'unknown' }, undefined, /1\. Leave[\s\S]*2\. Continue/],
  ];
  test.each(cases)('a Claude %s', async (_, env, claude, words) => {
    await using home = new Home();
    const bridge = await home.up({
      args: ['--claude', claude ?? simulatedClaude, '--delivery', 'terminal'],
      env,
    });
    expect(await bridge.ask('chat:one', 'hello')).toMatch(words);
  });

  test('a Claude that hangs at its start', async () => {
    await using home = new Home();
    const folder = join(home.path, '.config/synthesis');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.json'), '{"timeouts": {"startMs": 1500}}');
    const bridge = await home.up({ env: { SIM_START: 'hang' } });
    expect(await bridge.ask('chat:one', 'hello')).toMatch(/not ready in time/);
  });

  test.each([
    [
      'exits in the middle',
      '[[say:half an answer|and more]] [[wait:300]] [[exit:3]]',
      /half an answer[\s\S]*ended while it worked/,
    ],
    ['reports a rate limit', '[[fail:rate_limit]]', /usage limit/],
    ['ends without a word', '[[silent]]', /gave no sign of life/],
    ['writes nothing', '[[empty]]', /without writing an answer/],
  ])('a Claude that %s', async (_, text, words) => {
    await using home = new Home();
    const bridge = await home.up();
    expect(await bridge.ask('chat:one', text)).toMatch(words);
    expect(await bridge.ask('chat:one', '[[say:fine again]]')).toContain('fine again');
  });
});

test('doctor finds all well before the start, with a bridge, and says when that bridge does not answer', async () => {
  await using home = new Home();
  const doctor = () => home.command('doctor', '--claude', simulatedClaude);
  const answers = {
    hasCompletedOnboarding: true,
    projects: { [home.path]: { hasTrustDialogAccepted: true } },
  };
  writeFileSync(join(home.path, '.claude.json'), JSON.stringify(answers));
  const env = { SYNTHESIS_PORT: '0' };
  const before = await home.run(['doctor', '--state-dir', home.state, '--claude', simulatedClaude], { env });
  expect([before.code, before.stdout]).toEqual([0, expect.stringContaining('No bridge runs')]);
  const bridge = await home.up();
  const during = await doctor();
  expect([during.code, during.stdout]).toEqual([0, expect.stringContaining(`serves ${bridge.at.url}`)]);
  bridge.child.kill('SIGSTOP');
  const stuck = await doctor();
  bridge.child.kill('SIGCONT');
  expect([stuck.code, stuck.stdout]).toEqual([7, expect.stringMatching(/^FAIL {2}bridge .*did not answer/m)]);
});

test('doctor says in which conversation Claude does not start, and why', async () => {
  await using home = new Home();
  const bridge = await home.up({ args: ['--claude', '/nowhere/claude', '--delivery', 'terminal'] });
  await bridge.ask('chat:one', 'hello');
  const ran = await home.command('doctor', '--claude', simulatedClaude);
  expect(ran.code).toBe(7);
  expect(ran.stdout).toMatch(
    /^warn {2}sessions .* chat:one \(claude_not_found: "\/nowhere\/claude" was not found\)/m,
  );
  expect(ran.stdout).toContain('`synthesis config set claude <path>`');
});

test('doctor names every finding with a suggestion, and exits with 7 when something is wrong', async () => {
  await using home = new Home();
  const ran = await home.command('doctor', '--json', '--claude', '/nowhere/claude');
  const { status, checks } = JSON.parse(ran.stdout);
  expect([ran.code, status]).toEqual([7, 'unavailable']);
  for (const check of checks) {
    expect([check.name, check.suggestion === null]).toEqual([check.name, check.status === 'ok']);
  }
});

describe('a reader that left', () => {
  /** Runs a command whose output nobody reads. */
  async function unread(home: Home, args: string[]): Promise<number | null> {
    const [file, ...rest] = home.argv(...args);
    const child = spawn(file, rest, { env: home.env(), cwd: home.cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    child.stderr.destroy();
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  }

  test.each<[code: number, args: string[]]>([
    [7, ['doctor', '--claude', '/nowhere/claude', '--openclaw', '/nowhere/openclaw']],
    [0, ['version']],
    [0, ['completion', 'bash']],
    [6, ['ps', '--json']],
    [2, ['ps', '--nonsense']],
  ])('is no failure: code %i as ever of %j', async (code, args) => {
    await using home = new Home();
    expect(await unread(home, args)).toBe(code);
  });

  test('does not end the bridge', async () => {
    await using home = new Home();
    const bridge = await home.up();
    bridge.child.stdout?.destroy();
    bridge.child.stderr?.destroy();
    expect(await bridge.ask('chat:one', 'hello')).toContain('hello');
    expect(await bridge.end()).toBe(0);
  });
});

test.each([
  ['through a stream', '/dev/full', 'w', 'ENOSPC'],
  ['without one', import.meta.filename, 'r', 'EBADF'],
])('a bridge whose output is not taken goes on, and says so at its end: %s', async (_, path, flags, code) => {
  await using home = new Home();
  const [file, ...rest] = home.argv(
    'up',
    '--json',
    '--port',
    '0',
    '--state-dir',
    home.state,
    '--claude',
    simulatedClaude,
  );
  const full = openSync(path, flags);
  const child = spawn(file, rest, { env: home.env(), cwd: home.cwd, stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = text(child.stderr as Readable);
  const place = join(home.state, 'bridge.json');
  const { url } = await until(
    'the bridge',
    () => existsSync(place) && JSON.parse(readFileSync(place, 'utf8')),
  );
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const ended = once(child, 'exit');
  expect(await home.run(['down', '--state-dir', home.state])).toMatchObject({ code: 0 });
  expect(await ended).toEqual([1, null]);
  expect((await said).split('Not all of the output was taken')).toEqual([
    expect.any(String),
    expect.stringContaining(` (${code}`),
  ]);
});
