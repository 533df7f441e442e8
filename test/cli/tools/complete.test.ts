// Tab behind `synthesis tools`.
import { expect, test, vi } from 'vitest';
import { complete } from '../../../src/cli/commands/completion.ts';
import { program } from '../../../src/cli/program.ts';
import { toolOf, viewOf, World } from './world.ts';

/** What is offered for the last of these words. */
async function offered(world: World, ...words: string[]): Promise<string[]> {
  const lines: string[] = [];
  // The library writes there, as its shells expect.
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  await world.printed(() => complete(words, program(), world.state));
  log.mockRestore();
  return lines.flatMap((line) => (line.startsWith(':') ? [] : [line.split('\t')[0] ?? '']));
}

test('offers the commands, and the flags of each', async () => {
  await using world = new World();
  expect((await offered(world, 'tools', '')).sort()).toEqual(
    ['add', 'call', 'health', 'inspect', 'list', 'remove'].sort(),
  );
  expect(await offered(world, 'tools', 'add', 'x', '--per')).toEqual(['--permission']);
});

test.each(['inspect', 'health', 'call', 'remove', 'rm'])(
  '%s is offered the providers of bridge and file',
  async (command) => {
    await using world = await World.withBridge(viewOf('notes'), viewOf('files'));
    world.write({ providers: [{ name: 'files' }, { name: 'later' }, { name: 'x; touch y' }, 7, null, {}] });
    expect(await offered(world, 'tools', command, '')).toEqual(['notes', 'files', 'later']);
    expect(await offered(world, 'tools', command, 'no')).toEqual(['notes']);
  },
);

test('without a bridge those of the file are offered; a file that cannot be read offers none', async () => {
  await using world = new World();
  expect(await offered(world, 'tools', 'remove', '')).toEqual([]);
  world.write({ providers: [{ name: 'notes' }] });
  expect(await offered(world, 'tools', 'remove', '')).toEqual(['notes']);
  world.write([1]);
  expect(await offered(world, 'tools', 'remove', '')).toEqual([]);
});

test('call is offered the tools of the provider, but for names that mean something to a shell', async () => {
  await using world = await World.withBridge(viewOf('notes'));
  const tools = [toolOf('notes_find', { tool: 'find' }), toolOf('odd', { tool: '$(touch x)' })];
  world.desk.details.set('notes', { provider: viewOf('notes'), tools, refused: [], printed: [] });
  expect(await offered(world, 'tools', 'call', 'notes', '')).toEqual(['find']);
  expect(await offered(world, 'tools', 'call', '--json', 'notes', 'f')).toEqual(['find']);
  expect(await offered(world, 'tools', 'call', 'ghost', '')).toEqual([]);
});
