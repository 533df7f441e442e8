// tools add: what is written, what is refused, and what is only warned of.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configGet, configSet } from '../../../src/cli/commands/config/config-file.ts';
import { exitCodes } from '../../../src/cli/exit-codes.ts';
import { viewOf, World } from './world.ts';

const secret = 'hunter2-hunter2';

/** A program that exists, wherever tests run. */
const program = ['--', process.execPath];

describe('what is written', () => {
  test('a program with everything that can be given', async () => {
    await using world = new World();
    world.env.API_KEY = secret;
    const flags = [
      ['--env', 'MODE=a=b'],
      ['--env', 'API_KEY'],
      ['--env', 'EMPTY='],
      ['--tool', 'find*'],
      ['--tool', 'list'],
      ['--permission', 'read:vault'],
      ['--permission', 'net'],
      ['--timeout', '1m30s'],
      ['--cwd', world.home],
    ].flat();
    const words = [...flags, '--', process.execPath, 'server.js', '--json', '--url', 'x'];
    const { code, out, err } = await world.run('tools', 'add', 'notes', ...words);
    expect(world.written).toEqual({
      providers: [
        {
          name: 'notes',
          command: [process.execPath, 'server.js', '--json', '--url', 'x'],
          env: { MODE: 'a=b', API_KEY: secret, EMPTY: '' },
          cwd: world.home,
          tools: ['find*', 'list'],
          permissions: ['read:vault', 'net'],
          timeoutMs: 90_000,
        },
      ],
    });
    expect([code, out]).toEqual([exitCodes.ok, '']);
    expect(err).toBe(
      `Written to ${world.config}. No bridge runs: it is started with the next \`synthesis up\`.\n`,
    );
    expect((statSync(world.config).mode & 0o777).toString(8)).toBe('600');
  });

  test('a URL with headers, and a module by its whole path; what was there stays', async () => {
    await using world = new World();
    world.write({ port: 18_900, providers: [{ name: 'first', command: ['x'], queue: 3 }] });
    const headers = ['--header', `Authorization: Bearer ${secret}`, '--header', 'X-Empty:'];
    const url = await world.run('tools', 'add', 'web', '--url', 'https://example.org/mcp', ...headers);
    const module = await world.run('tools', 'add', 'own', '--module', 'package.json');
    expect(world.written).toEqual({
      port: 18_900,
      providers: [
        { name: 'first', command: ['x'], queue: 3 },
        {
          name: 'web',
          url: 'https://example.org/mcp',
          headers: { Authorization: `Bearer ${secret}`, 'X-Empty': '' },
        },
        { name: 'own', module: join(process.cwd(), 'package.json') },
      ],
    });
    for (const { code, out, err } of [url, module]) {
      expect(code).toBe(exitCodes.ok);
      expect(out + err).not.toMatch(/hunter2|Warning/);
    }
  });

  test('a program with a path is found from anywhere, and from the folder that it is started in', async () => {
    await using world = new World();
    mkdirSync(join(world.home, 'bin'));
    const file = join(world.home, 'bin', 'serve');
    writeFileSync(file, '');
    chmodSync(file, 0o755);
    const { err } = await world.run('tools', 'add', 'a', '--cwd', world.home, '--', './bin/serve');
    expect(world.written?.providers?.[0]?.command).toEqual([file]);
    expect(err).not.toContain('Warning');
    await world.run('tools', 'add', 'b', '--', './bin/serve');
    expect(world.written?.providers?.[1]?.command).toEqual([join(process.cwd(), 'bin/serve')]);
  });
});

describe('what is refused changes nothing, and says so', () => {
  test.each<[what: string, words: string[], says: string | RegExp]>([
    ['nothing to start', [], 'Give a program behind --'],
    ['two kinds', ['--url', 'https://a.example', '--module', '/m.js'], 'more than one is given'],
    ['a program and a URL', ['--url', 'https://a.example', ...program], 'more than one is given'],
    [
      'an environment without a program',
      ['--url', 'https://a.example', '--env', 'A=1'],
      '--env goes with a program',
    ],
    ['a folder without a program', ['--module', '/m.js', '--cwd', '/'], '--cwd goes with a program'],
    ['headers without a URL', ['--header', 'A: b', ...program], '--header goes with --url'],
    ['a plain URL elsewhere', ['--url', 'http://a.example'], 'providers.1.url: only https://'],
    [
      'a permission that there is not',
      ['--permission', 'vault', ...program],
      'providers.1.permissions.0: expected read:<what>, write:<what>, net or exec',
    ],
    ['a span of time that is none', ['--timeout', 'soon', ...program], '"soon" is not a span of time'],
    ['too short a time', ['--timeout', '1ms', ...program], 'providers.1.timeoutMs'],
    ['a variable without a name', ['--env', `=${secret}`, ...program], '--env number 1 does not begin'],
    ['a secret without a name', ['--env', `sk-${secret}`, ...program], '--env number 1 does not begin'],
    ['a secret that looks like a name', ['--env', 'hunter2_x', ...program], '--env number 1 is to be taken'],
    [
      'a variable that is not set',
      ['--env', 'NOT_SET_HERE', ...program],
      '--env NOT_SET_HERE is to be taken',
    ],
    [
      'a header without a name',
      ['--url', 'https://a.example', '--header', secret],
      '--header number 1 is no header',
    ],
    [
      'a header of two lines',
      ['--url', 'https://a.example', '--header', `A: b\r\nC: ${secret}`],
      '--header number 1 is no header',
    ],
  ])('%s', async (_, words, says) => {
    await using world = await World.withBridge(viewOf('first'));
    world.write({ providers: [{ name: 'first', command: ['x'] }] });
    const before = readFileSync(world.config, 'utf8');
    const { code, out, err } = await world.run('tools', 'add', 'notes', ...words);
    expect([code, out]).toEqual([exitCodes.usage, '']);
    expect(err).toMatch(says);
    expect(err).toContain('Nothing was changed.');
    expect(err).not.toContain('hunter2');
    expect(readFileSync(world.config, 'utf8')).toBe(before);
    expect(world.desk.sets).toEqual([]);
  });

  test.each(['Notes', 'my notes', 'synthesis', '', 'n'.repeat(33)])('the name "%s"', async (name) => {
    await using world = new World();
    const { code, err } = await world.run('tools', 'add', name, ...program);
    expect(code).toBe(exitCodes.usage);
    expect(err).toContain('providers.0.name: ');
    expect(world.written).toBeUndefined();
  });

  test('a name that is taken, with what to do', async () => {
    await using world = await World.withBridge(viewOf('notes'));
    world.write({ providers: [{ name: 'notes', command: ['x'] }] });
    const { code, err } = await world.run('tools', 'add', 'notes', ...program);
    expect(code).toBe(exitCodes.usage);
    expect(err).toBe(
      `There is a provider "notes" in ${world.config}. Nothing was changed.\nChoose another name, or take that one out first: synthesis tools remove notes\n`,
    );
    expect(world.written).toEqual({ providers: [{ name: 'notes', command: ['x'] }] });
    expect(world.desk.sets).toEqual([]);
  });

  test('a configuration that was wrong before', async () => {
    await using world = new World();
    for (const layer of [{ providers: {} }, { providers: [], port: 'x' }]) {
      world.write(layer);
      const { code, err } = await world.run('tools', 'add', 'notes', ...program);
      expect(code).toBe(exitCodes.usage);
      expect(err).toContain('Nothing was changed.');
      expect(world.written).toEqual(layer);
    }
  });

  test('--json behind -- is the program’s, not ours', async () => {
    await using world = new World();
    const { out, err } = await world.run('tools', 'add', 'Notes', '--', 'x', '--json');
    expect(out).toBe('');
    expect(err).toContain('providers.0.name: ');
    const json = await world.run('tools', 'add', 'Notes', '--json', '--', 'x');
    expect(JSON.parse(json.out).error.code).toBe('bad_config');
  });
});

describe('what looks wrong is a warning, and is written', () => {
  test.each<[words: string[], says: string]>([
    [['--', 'no-such-mcp'], '"no-such-mcp" was not found on PATH: install it'],
    [['--env', 'PATH=/nowhere', '--', 'node'], '"node" was not found on PATH'],
    [['--', '/no/such/mcp'], '/no/such/mcp is no program that can be started'],
    [['--', process.execPath, './package.json'], '"./package.json" is in this folder'],
    [['--cwd', '/no/such/folder', ...program], 'The folder /no/such/folder does not exist'],
    [['--module', '/no/such.js'], 'The file /no/such.js does not exist'],
  ])('%j', async (words, says) => {
    await using world = new World();
    const { code, err } = await world.run('tools', 'add', 'notes', ...words);
    expect(code).toBe(exitCodes.ok);
    expect(err).toContain(`Warning: ${says}`);
    expect(world.written?.providers).toHaveLength(1);
  });
});

test('a state folder that is open to others is refused before anything is written', async () => {
  await using world = new World();
  mkdirSync(world.state);
  writeFileSync(join(world.state, 'bridge.json'), '{}', { mode: 0o600 });
  chmodSync(world.state, 0o777);
  const { code } = await world.run('tools', 'add', 'notes', ...program);
  expect(code).toBe(exitCodes.denied);
  expect(world.written).toBeUndefined();
});

test('`config get` shows that there are values, and not which; they are not written back by accident', async () => {
  await using world = new World();
  await world.run('tools', 'add', 'notes', '--env', `KEY=${secret}`, ...program);
  await world.run('tools', 'add', 'web', '--url', 'https://a.example', '--header', `Key: ${secret}`);
  const before = world.written;
  for (const key of [undefined, 'providers', 'providers.0.env.KEY', 'providers.1.headers']) {
    const { out, err } = await world.printed(async () => {
      return configGet(key);
    });
    expect(out).toContain('(not shown)');
    expect(out + err).not.toContain(secret);
  }
  const { out } = await world.printed(async () => configGet('providers'));
  await expect(world.printed(async () => configSet('providers', out))).rejects.toThrow(
    expect.objectContaining({ code: 'bad_config', message: expect.stringContaining('Nothing was changed.') }),
  );
  expect(world.written).toEqual(before);
});

test('`config get` shows no token of a gateway', async () => {
  await using world = new World();
  world.write({ agp: [{ url: 'wss://wechat.example/agp', token: secret }] });
  for (const key of [undefined, 'agp', 'agp.0.token']) {
    const { out, err } = await world.printed(async () => configGet(key));
    expect(out).toContain('(not shown)');
    expect(out + err).not.toContain(secret);
  }
});
