// tools add: what a running bridge makes of it.
import { describe, expect, test } from 'vitest';
import { OperatorError } from '../../../src/bridge/app/operator/operator-error.ts';
import { exitCodes } from '../../../src/cli/exit-codes.ts';
import { Provider } from '../../../src/protocol/settings/provider.ts';
import { escapePayloads } from '../escape-payloads.ts';
import { forbidden, viewOf, World } from './world.ts';

const secret = 'hunter2-hunter2';

/** A program that exists, wherever tests run. */
const program = ['--', process.execPath];

describe('a running bridge', () => {
  const first = { name: 'first', command: ['x'] };

  test('gets all providers of the new configuration with their defaults, and says how the new one is', async () => {
    await using world = await World.withBridge(viewOf('first'));
    world.write({ providers: [first] });
    world.desk.arrives = ({ name }) => viewOf(name, { tools: 12 });
    const { code, err } = await world.run('tools', 'add', 'notes', '--env', `KEY=${secret}`, ...program);
    expect(world.desk.sets).toEqual([
      [
        Provider.parse(first),
        Provider.parse({ name: 'notes', command: [process.execPath], env: { KEY: secret } }),
      ],
    ]);
    expect(err).toBe(
      `Written to ${world.config}, and taken over by the running bridge.\nnotes is healthy: Claude gets 12 tools of it.\n`,
    );
    expect(code).toBe(exitCodes.ok);
  });

  test('says what it refuses of it, and why it is not healthy', async () => {
    await using world = await World.withBridge();
    const view = viewOf('notes', {
      status: 'unavailable',
      reason: 'it ended with code 1',
      tools: 0,
      refused: 1,
    });
    world.desk.arrives = () => view;
    const refused = [{ tool: 'odd', why: 'its name is too long' }];
    world.desk.details.set('notes', { provider: view, tools: [], refused, printed: [] });
    const { code, err } = await world.run('tools', 'add', 'notes', ...program);
    expect(code).toBe(exitCodes.degraded);
    expect(err).toContain('notes is unavailable: it ended with code 1 (no tool, 1 refused).');
    expect(err).toContain('synthesis tools inspect notes');
    expect(err).toContain('Refused: odd: its name is too long\n');
    world.desk.views = [];
    world.write({});
    const json = await world.run('tools', 'add', 'notes', '--json', ...program);
    expect(JSON.parse(json.out)).toEqual({
      added: 'notes',
      file: world.config,
      running: true,
      applied: true,
      provider: view,
      refused,
      warnings: [],
      problem: null,
    });
  });

  test('that does not take it over leaves it written, and it is said what to do', async () => {
    await using world = await World.withBridge(viewOf('first'));
    world.desk.set = async () => {
      throw new OperatorError('shutting_down', 'The bridge stops.', 'Start it again.');
    };
    world.refresh();
    const { code, err } = await world.run('tools', 'add', 'notes', ...program);
    expect(code).toBe(exitCodes.failure);
    expect(err).toContain(
      `Written to ${world.config}, but the running bridge did not take it over: The bridge stops. Start it again.`,
    );
    expect(err).toContain('take it back: synthesis tools remove notes');
    expect(world.written?.providers).toHaveLength(1);
    world.write({});
    const json = await world.run('tools', 'add', 'notes', '--json', ...program);
    expect(JSON.parse(json.out)).toMatchObject({ running: true, applied: false, provider: null });
    expect(JSON.parse(json.out).problem).toContain('The bridge stops.');
  });

  test('that had others than the file follows it, and says so', async () => {
    await using world = await World.withBridge(viewOf('gone'));
    world.write({ providers: [first] });
    const { err } = await world.run('tools', 'add', 'notes', ...program);
    expect(err).toContain('it has also started first, and also ended gone, which the file does not name.');
  });

  test('prints no escape sequence of the provider, and no secret', async () => {
    const foreigners = escapePayloads.map(({ text }) => `a${text}b`);
    for (const json of [[], ['--json']]) {
      await using world = await World.withBridge();
      const view = viewOf('notes', { status: 'degraded', reason: foreigners.join(' '), refused: 1 });
      world.desk.arrives = () => view;
      const refused = foreigners.map((foreign) => ({ tool: foreign, why: foreign }));
      world.desk.details.set('notes', { provider: view, tools: [], refused, printed: [] });
      const { out, err } = await world.run(
        'tools',
        'add',
        'notes',
        ...json,
        '--env',
        `KEY=${secret}`,
        ...program,
      );
      expect(out + err).not.toMatch(forbidden);
      expect(out + err).not.toContain(secret);
      expect((out + err).length).toBeGreaterThan(foreigners.length * 2);
    }
  });
});
