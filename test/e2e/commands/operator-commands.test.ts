// What an operator does from a shell, with and without a terminal.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { isRunning } from '../../../src/base/process/process-identity.ts';
import { Pty } from '../../support/pty.ts';
import { until } from '../../support/until.ts';
import { Home, simulatedClaude } from '../support/program.ts';

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

test('logs show what happened in words or as JSON, in one session or all, from a time on', async () => {
  await using home = new Home();
  await home.up();
  await home.command('send', '--create', 'ops:one', '[[say:first answer]]');
  await home.command('send', '--create', 'ops:two', '[[say:second answer]]');
  const words = await home.command('logs');
  expect(words.code).toBe(0);
  expect(words.stdout).toMatch(/ops:one {2}message: \[\[say:first answer\]\]/);
  expect(words.stdout).toMatch(/ops:two {2}completed: second answer/);
  expect((await home.command('logs', 'ops:one')).stdout).not.toContain('ops:two');
  expect(lines((await home.command('logs', '-n', '1')).stdout)).toHaveLength(1);
  const json = lines((await home.command('logs', 'ops:one', '--json')).stdout).map((line) =>
    JSON.parse(line),
  );
  expect(json[0]).toMatchObject({ event: 'session.opened', session: 'ops:one', seq: 1 });
  expect(json.map(({ event }) => event)).toContain('answer.delta');
  const later = new Date(Date.now() + 60_000).toISOString();
  expect((await home.command('logs', '--since', later)).stdout).toBe('');
  expect(lines((await home.command('logs', '--since', '1h', '--json')).stdout).length).toBeGreaterThan(
    json.length,
  );
  expect((await home.command('logs', '--since', 'soon')).code).toBe(2);
  expect((await home.command('logs', 'nobody')).code).toBe(4);
});

test('without a bridge logs show what it has left, and say so', async () => {
  await using home = new Home();
  const none = await home.command('logs');
  expect([none.code, none.stdout]).toEqual([6, '']);
  const bridge = await home.up();
  await home.command('send', '--create', 'ops:one', '[[say:first answer]]');
  await home.command('send', '--create', 'ops:two', '[[say:second answer]]');
  const now = new Date().toISOString();
  const ways = [[], ['--json'], ['ops:o'], ['ops:one', '--json'], ['--since', now]];
  const live = await Promise.all(ways.map((way) => home.command('logs', ...way)));
  await bridge.end();
  for (const [at, way] of ways.entries()) {
    const { code, stdout, stderr } = await home.command('logs', ...way);
    expect([code, lines(stderr)]).toEqual([0, [expect.stringMatching(/^No bridge .* what was kept\.$/)]]);
    expect(stdout.startsWith(live[at]?.stdout ?? '-')).toBe(true);
  }
  const all = lines((await home.command('logs')).stdout);
  expect(lines((await home.command('logs', '--tail', '2')).stdout)).toEqual(all.slice(-2));
  expect((await home.command('logs', '--since', now)).stdout).not.toContain('first answer');
  expect((await home.command('logs', 'nobody')).code).toBe(4);
  const following = await home.command('logs', '-f');
  expect(following).toMatchObject({ code: 6, stdout: '' });
  expect(following.stderr).toMatch(/nothing to follow\.\nWithout -f/);
});

test('approve at a terminal shows what would run and asks; only a yes allows it', async () => {
  await using home = new Home();
  await home.up();
  const made = join(home.cwd, 'made');
  await home.command(
    'send',
    '--create',
    '--no-wait',
    'ops:one',
    `[[bash:touch ${made}; echo done-$((1+1))]]`,
  );
  const code = await until('the question', async () => {
    const [ask] = JSON.parse((await home.command('approvals', '--json')).stdout);
    return ask?.code as string | undefined;
  });
  for (const [keys, exit] of [
    ['\r', 1],
    ['no\r', 1],
    ['yes\r', 0],
  ] as const) {
    const argv = home.argv('approve', '--state-dir', home.state, code);
    await using seat = new Pty(argv, { cols: 80, rows: 24, cwd: home.cwd, env: home.env() });
    await until('what is asked', () => seat.screen.includes('Allow it? (yes, no) [no]:'));
    expect(seat.screen).toContain('│ touch');
    expect(existsSync(made)).toBe(false);
    seat.type(keys);
    expect(await seat.exited()).toBe(exit);
  }
  await home.command('wait', 'ops:one');
  expect(existsSync(made)).toBe(true);
});

test('approve at a terminal asks for no yes that a question of Claude’s could not take', async () => {
  await using home = new Home();
  await home.up();
  const questions = [{ question: 'Which one?', options: [{ label: 'red' }, { label: 'blue' }] }];
  const text = `[[tool:AskUserQuestion ${JSON.stringify({ questions })}]]`;
  await home.command('send', '--create', '--no-wait', 'ops:one', text);
  const code = await until('the question', async () => {
    const [ask] = JSON.parse((await home.command('approvals', '--json')).stdout);
    return ask?.code as string | undefined;
  });
  const argv = home.argv('approve', '--state-dir', home.state, code);
  await using seat = new Pty(argv, { cols: 80, rows: 24, cwd: home.cwd, env: home.env() });
  expect(await seat.exited()).not.toBe(0);
  expect(seat.screen).toContain('2. blue');
  expect(seat.screen).toContain('it needs an answer, not a yes');
  expect(seat.screen).toContain('--answer 1');
  expect(await home.command('approve', code, '--answer', '2')).toMatchObject({ code: 0 });
});

test('logs -f goes on through a killed bridge, without a gap or a repeat, until it is stopped', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await home.command('send', '--create', 'ops:one', 'hello');
  const [file, ...args] = home.argv('logs', '--state-dir', home.state, '-f', '--json');
  const reader = execa(file, args, { env: home.env(), extendEnv: false, reject: false, buffer: false });
  const seqs: number[] = [];
  const texts: string[] = [];
  const reading = (async () => {
    for await (const line of reader.iterable()) {
      const { seq, text = '' } = JSON.parse(line) as { seq: number; text?: string };
      seqs.push(seq);
      texts.push(text);
    }
  })();
  await until('what was', () => texts.includes('hello'));
  await bridge.kill();
  await home.up();
  await home.command('send', 'ops:one', 'after the kill');
  await until('what came after', () => texts.includes('after the kill'));
  reader.kill('SIGINT');
  const { exitCode } = await reader;
  await reading;
  expect(exitCode).toBe(130);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
});

test('attach without a terminal prints what happens from now on; a reader that leaves is no error', async () => {
  await using home = new Home();
  await home.up();
  await home.command('send', '--create', 'ops:one', 'before');
  const [file, ...args] = home.argv('attach', '--state-dir', home.state);
  const command = `"${[file, ...args].join('" "')}" | head -n 1`;
  const reader = execa('/bin/sh', ['-c', command], { env: home.env(), extendEnv: false, reject: false });
  let done = false;
  void reader.then(() => {
    done = true;
  });
  // The reader is there at some point; from then on it sees a message.
  await until('the end of the reader', async () => {
    await home.command('send', 'ops:one', 'now');
    return done;
  });
  const { stdout, stderr, exitCode } = await reader;
  expect([exitCode, stdout, stderr]).toEqual([0, expect.stringContaining('ops:one'), '']);
  expect(stdout).not.toContain('before');
});

test('inspect shows a session’s turns, questions and screen', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask('chat:one', '[[bash:echo made > proof.txt]]');
  const words = await home.command('inspect', 'chat:one');
  expect(words.stdout).toMatch(/^state +asking$/m);
  expect(words.stdout).toMatch(/waits for you: Bash/);
  expect(words.stdout).toContain("Claude's screen:");
  const detail = JSON.parse((await home.command('inspect', 'chat:one', '--json')).stdout);
  expect(detail).toMatchObject({
    key: 'chat:one',
    turns: [{ phase: 'running', ingress: 'openai' }],
    asks: [{ tool: 'Bash' }],
  });
  expect(detail.screen).toHaveLength(40);
});

test('wait returns when a session is idle, and gives up with 3', async () => {
  await using home = new Home();
  await home.up();
  await home.command('send', '--create', '--no-wait', 'ops:one', '[[bash:true]] [[say:done]]');
  expect((await home.command('wait', 'ops:one', '--timeout', '200ms')).code).toBe(3);
  const { code } = await until(
    'the question',
    async () => JSON.parse((await home.command('approvals', '--json')).stdout)[0],
  );
  const waiting = home.command('wait', 'ops:one', '--timeout', '20s', '--json');
  await home.command('approve', code);
  const waited = await waiting;
  expect([waited.code, JSON.parse(waited.stdout)]).toEqual([
    0,
    { session: 'ops:one', idle: true, state: 'idle' },
  ]);
  expect((await home.command('logs', 'ops:one')).stdout).toMatch(/completed: .*done/);
  expect((await home.command('wait', 'ops:one', '--timeout', 'soon')).code).toBe(2);
});

test('restart starts a stopped Claude Code, which remembers', async () => {
  await using home = new Home();
  await home.up();
  await home.command('send', '--create', 'ops:one', 'first');
  const [before] = JSON.parse((await home.command('ps', '--json')).stdout);
  expect((await home.command('restart', 'ops:one')).code).toBe(0);
  const [after] = JSON.parse((await home.command('ps', '--json')).stdout);
  expect(after).toMatchObject({ state: 'idle', claude_session: before.claude_session });
  expect(after.pid).not.toBe(before.pid);
  expect((await home.command('send', 'ops:one', 'second')).stdout).toContain('I remember 1 earlier');
});

test('up --detach returns when the bridge is ready; down ends it; a bridge that cannot start is told of', async () => {
  await using home = new Home();
  const flags = ['--port', '0', '--claude', simulatedClaude, '--delivery', 'terminal'];
  const up = await home.command('up', '--detach', '--json', ...flags);
  const ready = JSON.parse(up.stdout);
  expect([up.code, ready]).toEqual([
    0,
    expect.objectContaining({ event: 'ready', log: join(home.state, 'bridge.log') }),
  ]);
  try {
    expect((await home.command('send', '--create', 'ops:one', '[[say:in the background]]')).stdout).toBe(
      'in the background',
    );
    const second = await home.command('up', '-d', ...flags);
    expect([second.code, second.stderr]).toEqual([8, expect.stringContaining('already running')]);
    expect(lines(readFileSync(join(home.state, 'up.log'), 'utf8')).length).toBe(1);
  } finally {
    expect((await home.command('down')).code).toBe(0);
  }
  expect(isRunning(ready.pid)).toBe(false);
});

describe('the configuration', () => {
  const path = (home: Home) => join(home.path, '.config/synthesis/config.json');

  test('config changes one value, refuses what would not be valid, and shows what holds', async () => {
    await using home = new Home();
    expect((await home.run(['config', 'path'])).stdout).toBe(path(home));
    expect((await home.run(['config', 'get', 'port'])).stdout).toBe('18801');
    expect((await home.run(['config', 'set', 'approvers', '["telegram:4242"]'])).code).toBe(0);
    expect((await home.run(['config', 'set', 'cwd', home.cwd])).code).toBe(0);
    const wrong = await home.run(['config', 'set', 'prot', '1']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean `port`?')]);
    expect(JSON.parse(readFileSync(path(home), 'utf8'))).toEqual({
      approvers: ['telegram:4242'],
      cwd: home.cwd,
    });
    expect((statSync(path(home)).mode & 0o777).toString(8)).toBe('600');
    expect((await home.run(['config', 'get', 'approvers'])).stdout).toBe('["telegram:4242"]');
    await home.run(['config', 'unset', 'approvers']);
    expect(JSON.parse(readFileSync(path(home), 'utf8'))).toEqual({ cwd: home.cwd });
    await home.run(['config', 'set', 'timeouts.idleMs', '1h30m']);
    expect((await home.run(['config', 'get', 'timeouts.idleMs'])).stdout).toBe('1h30m');
    const { timeouts } = JSON.parse((await home.run(['config', 'get'])).stdout);
    expect(timeouts).toMatchObject({ idleMs: '1h30m', startMs: 30_000 });
    const unclear = await home.run(['config', 'set', 'timeouts.idleMs', '"90"']);
    expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining('"10m" or "1h30m"') });
    expect((await home.run(['config', 'get', 'nothing.here'])).code).toBe(2);
  });

  test('init without a terminal needs --yes, and then gives no consent of its own', async () => {
    await using home = new Home();
    const refused = await home.run(['init']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect((await home.run(['init', '--yes'])).code).toBe(0);
    const written = { cwd: home.cwd, permissionMode: 'manual', channels: { development: false } };
    expect(JSON.parse(readFileSync(path(home), 'utf8'))).toEqual(written);
    await home.run(['init', '--yes', '--channel', '--permission-mode', 'plan']);
    expect(JSON.parse(readFileSync(path(home), 'utf8'))).toMatchObject({
      permissionMode: 'plan',
      channels: { development: true },
    });
    // Said once, it stays said.
    await home.run(['init', '--yes']);
    expect(JSON.parse(readFileSync(path(home), 'utf8'))).toMatchObject({ channels: { development: true } });
    expect((await home.run(['init', '--yes', '--permission-mode', 'never'])).code).toBe(2);
    expect((await home.run(['init', '--yes', '--cwd', '/nowhere/at/all'])).code).toBe(2);
  });

  test('init asks three questions in a terminal and keeps what else is written', async () => {
    await using home = new Home();
    mkdirSync(join(home.path, '.config/synthesis'), { recursive: true });
    writeFileSync(path(home), '{"port": 4711}');
    await using dialog = new Pty(home.argv('init'), { cwd: home.cwd, env: home.env(), cols: 120, rows: 40 });
    await until('the folder', () => dialog.screen.includes(`[${home.cwd}]: `));
    dialog.type('\r');
    await until('the mode', () => dialog.screen.includes('[manual]: '));
    dialog.type('sometimes\r');
    await until('the second try', () => dialog.screen.includes('"sometimes" is none of them.'));
    dialog.type('acceptEdits\r');
    await until('the consent', () => dialog.screen.includes('Use the channel? (yes, no) [no]: '));
    expect(dialog.screen).toContain('--dangerously-load-development-channels');
    dialog.type('yes\r');
    expect(await dialog.exited()).toBe(0);
    expect(JSON.parse(readFileSync(path(home), 'utf8'))).toEqual({
      port: 4711,
      cwd: home.cwd,
      permissionMode: 'acceptEdits',
      channels: { development: true },
    });
  });

  test('init that is left before its end changes nothing', async () => {
    await using home = new Home();
    await using dialog = new Pty(home.argv('init'), { cwd: home.cwd, env: home.env(), cols: 120, rows: 40 });
    await until('the folder', () => dialog.screen.includes(']: '));
    dialog.type('\u0003');
    expect(await dialog.exited()).not.toBe(0);
    expect((await home.run(['config', 'get', 'channels.development'])).stdout).toBe('false');
    expect(() => statSync(path(home))).toThrow();
  });
});

describe('the first up in a terminal', () => {
  const question = 'Use the channel? (yes, no) [no]: ';
  const path = (home: Home) => join(home.path, '.config/synthesis/config.json');
  const upAt = (home: Home, ...args: string[]) => {
    const command = home.argv(
      'up',
      '--port',
      '0',
      '--state-dir',
      home.state,
      '--claude',
      simulatedClaude,
      ...args,
    );
    return new Pty(command, { cwd: home.cwd, env: home.env({ TERM: 'xterm-256color' }), cols: 80, rows: 24 });
  };
  const stop = async (up: Pty) => {
    await until('the table', () => up.screen.includes('0 of 0 sessions live'));
    up.type('\u0003');
    expect(await up.exited()).toBe(0);
  };

  test.each([
    ['Enter is no', '\r', false],
    ['yes is yes', 'yes\r', true],
  ])('asks for consent to the channel: %s, and it is never asked again', async (_, keys, answer) => {
    await using home = new Home();
    await using first = upAt(home);
    await until('the question', () => first.screen.includes(question));
    expect(first.screen).toContain('--dangerously-load-development-channels');
    first.type(keys);
    await stop(first);
    expect(JSON.parse(readFileSync(path(home), 'utf8'))).toEqual({ channels: { development: answer } });
    await using second = upAt(home);
    await stop(second);
    expect(second.raw).not.toContain('channel?');
  });

  test('is not started and writes nothing when the question is left', async () => {
    await using home = new Home();
    await using up = upAt(home);
    await until('the question', () => up.screen.includes(question));
    up.type('\u0003');
    expect(await up.exited()).toBe(1);
    expect(up.screen).toContain('Nothing was started, and nothing changed.');
    expect(() => statSync(path(home))).toThrow();
  });

  test('does not ask what makes no difference, and keeps what else is written', async () => {
    await using home = new Home();
    await using typed = upAt(home, '--delivery', 'terminal');
    await stop(typed);
    await using named = upAt(home, '--delivery', 'channel');
    await stop(named);
    expect(typed.raw + named.raw).not.toContain('channel?');
    mkdirSync(join(home.path, '.config/synthesis'), { recursive: true });
    writeFileSync(path(home), '{"approvers": ["telegram:4242"], "channels": {"plugin": "one@market"}}');
    await using plugin = upAt(home);
    await stop(plugin);
    expect(plugin.raw).not.toContain('channel?');
    writeFileSync(path(home), '{"approvers": ["telegram:4242"]}');
    await using asked = upAt(home);
    await until('the question', () => asked.screen.includes(question));
    asked.type('n\r');
    await stop(asked);
    expect(JSON.parse(readFileSync(path(home), 'utf8'))).toEqual({
      approvers: ['telegram:4242'],
      channels: { development: false },
    });
  });

  test('asks nothing without a terminal', async () => {
    await using home = new Home();
    const bridge = await home.up({ args: ['--claude', simulatedClaude] });
    await bridge.end();
    expect(bridge.stderr).toBe('');
    expect(() => statSync(path(home))).toThrow();
  });
});

test('up in a narrow terminal says the whole of a permission request', async () => {
  await using home = new Home();
  const command = home.argv(
    ...['up', '--port', '0', '--state-dir', home.state, '--cwd', home.cwd],
    ...['--claude', simulatedClaude, '--delivery', 'terminal'],
  );
  const size = { cols: 80, rows: 24 };
  await using up = new Pty(command, { cwd: home.cwd, env: home.env({ TERM: 'xterm-256color' }), ...size });
  await until('the table', () => up.screen.includes('0 of 0 sessions live'));
  const session = 'agent:main:telegram:direct:4242';
  await home.command('send', '--create', '--no-wait', session, '[[bash:make release]]');
  const [, code] = await until('the request', () =>
    /waits for you: synthesis approve (\w{5}) \(or deny \1\)/.exec(up.screen),
  );
  const asks = `${session}  asks for Bash: synthesis approve ${code} | synthesis deny ${code}`;
  await until('the whole of it', () => up.rows.join('').includes(asks));
  await until('one table', () => up.rows.filter((row) => row.startsWith('SESSION')).length === 1);
});

test('a bridge that takes over says which flags of the one before it has not', async () => {
  await using home = new Home();
  const up = (...more: string[]) => home.command('up', '-d', '--replace', '--port', '0', ...more);
  try {
    const first = await up('--cwd', home.cwd, '--claude', simulatedClaude);
    expect(first.stderr).not.toContain('The bridge before');
    const second = await up('--cwd', home.cwd);
    expect(second.stderr.replace(/\s+/g, ' ')).toContain(
      `was started with \`--claude ${simulatedClaude}\`, and`,
    );
    const third = await up('--cwd', home.cwd);
    expect([third.code, third.stderr.includes('The bridge before')]).toEqual([0, false]);
  } finally {
    await home.command('down');
  }
});

test('up in a terminal keeps a table below what happens, and gives the terminal back', async () => {
  await using home = new Home();
  const size = { cols: 100, rows: 20 };
  const command = home.argv(
    ...['up', '--port', '0', '--state-dir', home.state, '--cwd', home.cwd],
    ...['--claude', simulatedClaude, '--delivery', 'terminal'],
  );
  await using up = new Pty(command, { cwd: home.cwd, env: home.env({ TERM: 'xterm-256color' }), ...size });
  await until('the table', () => up.screen.includes('0 of 0 sessions live'));
  await home.command('send', '--create', 'ops:one', '[[say:well]]');
  await until('the session', () => /^ops:one +idle/m.test(up.screen));
  await until('what happened', () => up.screen.includes('completed: well'));
  // The table goes away for a moment when a line is put above it.
  await until('one table, below what happened', () => {
    const tables = up.rows.flatMap((row, at) => (row.startsWith('SESSION') ? [at] : []));
    const said = up.rows.findIndex((row) => row.includes('completed: well'));
    return tables.length === 1 && said !== -1 && said < (tables[0] ?? 0);
  });
  up.resize(60, 10);
  await home.command('send', '--create', 'ops:two', '[[say:fine]]');
  await until('the second session', () => /^ops:two +idle/m.test(up.screen));
  up.type('\u0003');
  await until('the question', () => up.screen.includes('What becomes of them?'));
  expect(up.screen).not.toMatch(/^SESSION/m);
  up.type('end\r');
  expect(await up.exited()).toBe(0);
  expect(up.screen).toContain('The bridge has stopped');
  expect(up.screen).not.toMatch(/^SESSION/m);
  expect(up.terminal.modes.wraparoundMode).toBe(true);
});
