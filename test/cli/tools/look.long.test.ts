// tools list, health and inspect.
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { detailLines } from '../../../src/cli/commands/tools/inspect.ts';
import { providerTable } from '../../../src/cli/commands/tools/list.ts';
import { exitCodes } from '../../../src/cli/exit-codes.ts';
import { escapePayloads } from '../escape-payloads.ts';
import { forbidden, toolOf, viewOf, World } from './world.ts';

const slow = { status: 'degraded', reason: 'it answers slowly' } as const;

describe('list', () => {
  test('has a row for each provider, in the order of the bridge', async () => {
    await using world = await World.withBridge(
      viewOf('notes', { ...slow, tools: 12, refused: 2, running: 2, waiting: 3 }),
      viewOf('files', { kind: 'url' }),
    );
    const { code, out, err } = await world.run('tools', 'list');
    expect(out.trimEnd().split('\n')).toEqual([
      'NAME   KIND     STATUS    TOOLS  CALLS  SINCE  REASON',
      'notes  command  degraded  12     2+3    3m     it answers slowly',
      'files  url      healthy   1      0      3m',
    ]);
    expect(err).toBe('2 tools of notes refused: synthesis tools inspect notes\n');
    expect(code).toBe(exitCodes.ok);
  });

  test('-q prints names, --json the rows of the bridge; `ls` is the same command', async () => {
    await using world = await World.withBridge(viewOf('notes', slow), viewOf('files'));
    expect(await world.run('tools', 'ls', '-q')).toEqual({ code: 0, out: 'notes\nfiles\n', err: '' });
    const { out, err } = await world.run('tools', 'list', '--json');
    expect(JSON.parse(out)).toEqual(world.desk.views);
    expect(err).toBe('');
  });

  test('without a bridge those of the configuration are listed, and it is said that none runs', async () => {
    await using world = new World();
    world.write({
      providers: [
        { name: 'notes', command: ['notes-mcp'], env: { TOKEN: 'hunter2' } },
        { name: 'web', url: 'https://example.org/mcp', headers: { Authorization: 'hunter2' } },
        { name: 'own', module: '/opt/own.js' },
      ],
    });
    const { code, out, err } = await world.run('tools', 'list');
    expect(out.trimEnd().split('\n')).toEqual([
      'NAME   KIND     STATUS  TOOLS  CALLS  SINCE  REASON',
      'notes  command  -       -      -      -',
      'web    url      -       -      -      -',
      'own    module   -       -      -      -',
    ]);
    expect(err).toContain(`No bridge runs for ${world.state}`);
    expect(code).toBe(exitCodes.ok);
    const json = await world.run('tools', 'list', '--json');
    expect(json.err).toBe('');
    const [row] = JSON.parse(json.out);
    expect(Object.keys(row)).toEqual(expect.arrayContaining(Object.keys(viewOf('x'))));
    expect(row).toMatchObject({ provider: 'notes', kind: 'command', status: null, tools: null, since: null });
    expect(json.out).not.toContain('hunter2');
    expect(await world.run('tools', 'list', '-q')).toEqual({ code: 0, out: 'notes\nweb\nown\n', err: '' });
  });

  test('where there is none, it says how to add one', async () => {
    await using world = new World();
    const { code, out, err } = await world.run('tools', 'list');
    expect([code, out]).toEqual([0, '']);
    expect(err).toBe('No provider of tools yet: synthesis tools add --help\n');
  });

  test('fits 80 columns, however long names and reasons are', () => {
    const views = [
      viewOf('n'.repeat(32), {
        status: 'unavailable',
        reason: 'it ended with code 1: '.repeat(9),
        running: 10,
        waiting: 32,
      }),
      viewOf('ab', { ...slow, reason: '日本語'.repeat(40) }),
    ];
    for (const columns of [80, 100, 132]) {
      const lines = providerTable(views, Date.now(), columns).split('\n');
      for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
      expect(lines[1]).toMatch(/^n+…?n* {2}command {2}unavailable .*it ended .*…$/);
    }
    expect(providerTable(views, Date.now(), undefined)).toContain('it ended with code 1: '.repeat(9).trim());
  });
});

describe('health', () => {
  test('is one line for each, and exit code 7 when one is not well', async () => {
    await using world = await World.withBridge(viewOf('files'), viewOf('notes', slow));
    const { code, out } = await world.run('tools', 'health');
    expect(out).toBe('files: healthy\nnotes: degraded since 3m: it answers slowly\n');
    expect(code).toBe(exitCodes.degraded);
    expect(await world.run('tools', 'health', 'files')).toEqual({
      code: exitCodes.ok,
      out: 'files: healthy\n',
      err: '',
    });
  });

  test('--json is one object a line', async () => {
    await using world = await World.withBridge(viewOf('files'), viewOf('notes', slow));
    const { code, out } = await world.run('tools', 'health', '--json');
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(world.desk.views);
    expect(code).toBe(exitCodes.degraded);
  });

  test('a bridge without providers is well, and says so', async () => {
    await using world = await World.withBridge();
    expect(await world.run('tools', 'health')).toEqual({
      code: 0,
      out: '',
      err: 'The bridge has no provider of tools.\n',
    });
  });
});

test.each([
  ['health', 'nots', 'Did you mean notes?'],
  ['inspect', 'nots', 'Did you mean notes?'],
  ['inspect', 'zzz', 'There are: notes, files'],
])('%s of a name that there is not (%s) names those that there are', async (command, name, suggestion) => {
  await using world = await World.withBridge(viewOf('notes'), viewOf('files'));
  const { code, out, err } = await world.run('tools', command, name);
  expect([code, out]).toEqual([exitCodes.not_found, '']);
  expect(err).toBe(`There is no provider "${name}".\n${suggestion}\n`);
  const json = await world.run('tools', command, name, '--json');
  expect(JSON.parse(json.out).error).toMatchObject({ code: 'no_such_provider', suggestion });
});

test.each(['health', 'inspect'])('%s needs a bridge, and says so', async (command) => {
  await using world = new World();
  const { code, err } = await world.run('tools', command, ...(command === 'inspect' ? ['notes'] : []));
  expect(code).toBe(exitCodes.not_running);
  expect(err).toContain('Start it with `synthesis up`');
});

describe('inspect', () => {
  const detail = {
    provider: viewOf('notes', { ...slow, refused: 1, running: 1 }),
    tools: [
      toolOf('notes_find', {
        tool: 'find',
        description: `Finds notes ${'by their words '.repeat(9)}\n\nFast.`,
        permissions: ['read:vault'],
        idempotent: true,
      }),
      toolOf('notes_drop', { permissions: ['write:vault', 'exec'] }),
    ],
    refused: [{ tool: 'odd', why: 'its name is too long' }],
    printed: ['indexing', '12 notes'],
  };

  test('shows how it is, each tool, what is refused and what it printed', async () => {
    await using world = await World.withBridge(detail.provider);
    world.desk.details.set('notes', detail);
    const { code, out, err } = await world.run('tools', 'inspect', 'notes');
    expect([code, err]).toEqual([0, '']);
    for (const line of [
      'status       degraded',
      'reason       it answers slowly',
      'since        3m ago',
      'last probe   2m ago',
      'calls        1 running, 0 waiting',
      '  notes_find (find): read:vault; may be repeated',
      '      Fast.',
      '  notes_drop: write:vault, exec',
      '  odd: its name is too long',
      '  | 12 notes',
    ])
      expect(out.split('\n')).toContain(line);
    const json = await world.run('tools', 'inspect', 'notes', '--json');
    expect(JSON.parse(json.out)).toEqual(detail);
  });

  test('its words are wrapped and indented, and none of them is lost', () => {
    const lines = detailLines(detail, Date.now(), 80);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    const at = lines.findIndex((line) => line.startsWith('      Finds notes'));
    const description = lines.slice(at, lines.indexOf('      Fast.'));
    expect(description.length).toBeGreaterThan(1);
    expect(description.every((line) => /^ {6}\S/.test(line))).toBe(true);
    expect(description.map((line) => line.trim()).join(' ')).toBe(
      `Finds notes ${'by their words '.repeat(9).trim()}`,
    );
  });
});

test('no escape sequence reaches the terminal, whoever wrote it', async () => {
  const foreigners = escapePayloads.map(({ text }) => `a${text}b`);
  await using world = await World.withBridge(
    ...foreigners.map((foreign) => viewOf(foreign, { status: 'degraded', reason: foreign, refused: 1 })),
    viewOf('notes', { status: 'degraded', reason: foreigners.join(' ') }),
  );
  world.desk.details.set('notes', {
    provider: viewOf('notes', { status: 'degraded', reason: foreigners.join(' ') }),
    tools: foreigners.map((foreign) => toolOf(foreign, { tool: `${foreign}x`, description: foreign })),
    refused: foreigners.map((foreign) => ({ tool: foreign, why: foreign })),
    printed: foreigners,
  });
  for (const words of [['list'], ['list', '-q'], ['health'], ['inspect', 'notes']])
    for (const json of [[], ['--json']]) {
      const { out, err } = await world.run('tools', ...words, ...json);
      expect(out.length).toBeGreaterThan(foreigners.length);
      expect(out + err, words.join(' ')).not.toMatch(forbidden);
    }
  // What is printed for people, and each description, stays behind its bar or indent, however many lines it tries to be.
  const { out } = await world.run('tools', 'inspect', 'notes');
  const printed = out.slice(out.indexOf('It printed last:')).trimEnd().split('\n').slice(1);
  expect(printed).toHaveLength(foreigners.length);
  for (const line of printed) expect(line).toMatch(/^ {2}\| /);
});
