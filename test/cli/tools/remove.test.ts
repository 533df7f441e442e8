// tools remove: out of the file, out of the bridge, or out of whichever of the two has it.
import { describe, expect, test } from 'vitest';
import { OperatorError } from '../../../src/bridge/app/operator/operator-error.ts';
import { exitCodes } from '../../../src/cli/exit-codes.ts';
import { Provider } from '../../../src/protocol/settings/provider.ts';
import { viewOf, World } from './world.ts';

const notes = { name: 'notes', command: ['notes-mcp'], env: { KEY: 'hunter2' } };
const files = { name: 'files', url: 'https://files.example' };

describe('without a bridge', () => {
  test('it is taken out of the file, and the rest stays; twice is an error', async () => {
    await using world = new World();
    world.write({ port: 18_900, providers: [notes, files] });
    expect(await world.run('tools', 'remove', 'notes')).toEqual({
      code: exitCodes.ok,
      out: '',
      err: `Removed notes from ${world.config}. No bridge runs.\n`,
    });
    expect(world.written).toEqual({ port: 18_900, providers: [files] });
    const again = await world.run('tools', 'rm', 'notes');
    expect(again).toEqual({
      code: exitCodes.not_found,
      out: '',
      err: 'There is no provider "notes". Nothing was changed.\nThere are: files\n',
    });
    await world.run('tools', 'rm', 'files');
    expect(world.written).toEqual({ port: 18_900 });
    expect((await world.run('tools', 'rm', 'files')).err).toContain('There is none at all yet');
  });

  test('of a name that is misspelt it is said which was meant, and nothing is changed', async () => {
    await using world = new World();
    world.write({ providers: [notes, files] });
    const { code, err } = await world.run('tools', 'remove', 'nores');
    expect(code).toBe(exitCodes.not_found);
    expect(err).toContain('Did you mean notes?');
    expect(world.written).toEqual({ providers: [notes, files] });
  });

  test('one that is not valid can be taken out, too', async () => {
    await using world = new World();
    world.write({ providers: [{ name: 'broken', command: 'x', env: { KEY: 7 } }, files] });
    expect((await world.run('tools', 'remove', 'broken')).code).toBe(exitCodes.ok);
    expect(world.written).toEqual({ providers: [files] });
  });
});

describe('with a bridge', () => {
  test('it is taken out of both', async () => {
    await using world = await World.withBridge(viewOf('notes'), viewOf('files'));
    world.write({ providers: [notes, files] });
    const { code, err } = await world.run('tools', 'remove', 'notes');
    expect([code, err]).toEqual([
      0,
      `Removed notes from ${world.config}. The running bridge has ended it.\n`,
    ]);
    expect(world.desk.sets).toEqual([[Provider.parse(files)]]);
    expect(world.written).toEqual({ providers: [files] });
    const again = await world.run('tools', 'remove', 'notes');
    expect(again.code).toBe(exitCodes.not_found);
    expect(world.desk.sets).toHaveLength(1);
  });

  test('that alone has it, it is taken out of that', async () => {
    await using world = await World.withBridge(viewOf('notes'), viewOf('files'));
    world.write({ providers: [files] });
    const { code, out } = await world.run('tools', 'remove', 'notes', '--json');
    expect(code).toBe(exitCodes.ok);
    expect(JSON.parse(out)).toEqual({
      removed: 'notes',
      file: null,
      running: true,
      applied: true,
      problem: null,
    });
    expect(world.desk.sets).toEqual([[Provider.parse(files)]]);
  });

  test('that does not have it, it is left alone', async () => {
    await using world = await World.withBridge(viewOf('files'));
    world.write({ providers: [notes, files] });
    const { code, err } = await world.run('tools', 'remove', 'notes');
    expect([code, err]).toEqual([
      0,
      `Removed notes from ${world.config}. The running bridge did not have it.\n`,
    ]);
    expect(world.desk.sets).toEqual([]);
    expect(world.written).toEqual({ providers: [files] });
  });

  test.each(['list', 'set'] as const)(
    'that fails at %s keeps it, and it is said until when',
    async (method) => {
      await using world = await World.withBridge(viewOf('notes'));
      world.write({ providers: [notes] });
      world.desk[method] = () => {
        throw new OperatorError('unknown_method', 'Unknown method.', 'Is the client newer than the bridge?');
      };
      world.refresh();
      const { code, err } = await world.run('tools', 'remove', 'notes');
      expect(code).toBe(exitCodes.failure);
      expect(err).toContain(
        `Removed notes from ${world.config}, but the running bridge still has it: Unknown method.`,
      );
      expect(err).toContain('It is gone with the next start');
      expect(world.written).toEqual({});
      // Now that the file does not name it, only the bridge can tell.
      if (method === 'list')
        expect((await world.run('tools', 'remove', 'notes')).err).toContain('Unknown method');
    },
  );
});
