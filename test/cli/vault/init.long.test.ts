// vault init: what is written, what is refused, and what a running bridge is told.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../../src/cli/exit-codes.ts';
import { VaultSettings } from '../../../src/protocol/settings/vault.ts';
import { asNobody } from '../../support/as-nobody.ts';
import { World } from '../tools/world.ts';

/** A folder with one note in it. */
function notesIn(world: World, name = 'notes'): string {
  const folder = join(world.home, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.md'), '# A\n');
  return folder;
}

const init = (world: World, ...words: string[]) => world.run('vault', 'init', ...words, '--no-index');

describe('what is written', () => {
  test('the folder, and nothing that goes without saying; what was there stays', async () => {
    await using world = new World();
    world.write({ port: 18_900 });
    const path = notesIn(world);
    const { code, out, err } = await init(world, path);
    expect([code, out]).toEqual([exitCodes.ok, '']);
    expect(world.written).toEqual({ port: 18_900, vault: { path } });
    expect(err).toBe(
      `Written to ${world.config}. No bridge runs: Claude has it with the next \`synthesis up\`.\nNext: synthesis vault search <words>\n`,
    );
  });

  test('everything that can be given', async () => {
    await using world = new World();
    const path = notesIn(world);
    const flags = [
      '--include',
      '**/*.md',
      '--include',
      '*.txt',
      '--exclude',
      'Private',
      '--memories',
      'AI/Facts',
    ];
    await init(world, path, ...flags);
    expect(world.written).toEqual({
      vault: { path, include: ['**/*.md', '*.txt'], exclude: ['Private'], memories: 'AI/Facts' },
    });
  });

  test('other embeddings for the same notes, which stay as they were chosen', async () => {
    await using world = new World();
    const path = notesIn(world);
    const vault = { path, exclude: ['Private'], ollama: { url: 'http://127.0.0.1:1' } };
    world.write({ vault });
    expect((await init(world, path, '--model', 'small')).code).toBe(exitCodes.ok);
    const ollama = { ...vault.ollama, model: 'small' };
    expect(world.written).toEqual({ vault: { ...vault, embeddings: 'ollama', ollama } });
    expect((await init(world, path, '--embeddings', 'none')).code).toBe(exitCodes.ok);
    expect(world.written).toEqual({ vault: { ...vault, embeddings: 'none', ollama } });
  });

  test('nothing, when the embeddings cannot be meant', async () => {
    await using world = new World();
    const path = notesIn(world);
    for (const [flags, code] of [
      [['--embeddings', 'builtin', '--model', 'small'], 'bad_embeddings'],
      [['--ollama', 'there'], 'bad_config'],
    ] as const) {
      const ran = await init(world, path, ...flags, '--json');
      expect(JSON.parse(ran.out)).toMatchObject({ error: { code } });
      expect(ran.code).toBe(exitCodes.usage);
    }
    expect(existsSync(world.config)).toBe(false);
  });

  test('the folder of a profile, beside that of the others', async () => {
    await using world = new World();
    const path = notesIn(world);
    const profiles = [{ match: 'a:*', cwd: '/w' }, { match: 'b:*' }];
    world.write({ profiles, vault: { path } });
    const work = notesIn(world, 'work');
    const { code, err } = await init(world, work, '--profile', 'b:*');
    expect(code).toBe(exitCodes.ok);
    expect(err).toContain("synthesis vault search <words> --profile 'b:*'");
    expect(world.written).toEqual({
      vault: { path },
      profiles: [
        { match: 'a:*', cwd: '/w' },
        { match: 'b:*', vault: { path: work } },
      ],
    });
  });

  test('the same once more changes nothing, however the folder is spelled', async () => {
    await using world = new World();
    const path = notesIn(world);
    await init(world, path);
    const before = readFileSync(world.config, 'utf8');
    for (const spelling of [path, `${path}/`, `${path}/../notes`]) {
      const { code, err } = await init(world, spelling, '--include', '**/*.md');
      expect(code).toBe(exitCodes.ok);
      expect(err).toContain(`${world.config} names it already.`);
    }
    expect(readFileSync(world.config, 'utf8')).toBe(before);
  });

  test('another one only instead of the first', async () => {
    await using world = new World();
    const path = notesIn(world);
    const other = notesIn(world, 'other');
    await init(world, path);
    for (const words of [[other], [path, '--exclude', 'Private']]) {
      const refused = await init(world, ...words, '--json');
      expect(refused.code).toBe(exitCodes.usage);
      expect(JSON.parse(refused.out).error).toMatchObject({
        code: 'vault_exists',
        suggestion: expect.stringContaining('--replace'),
      });
      expect(world.written).toEqual({ vault: { path } });
    }
    expect((await init(world, other, '--replace')).code).toBe(exitCodes.ok);
    expect(world.written).toEqual({ vault: { path: other } });
  });

  test('a folder that is reached over a link is written as it was named', async () => {
    await using world = new World();
    const link = join(world.home, 'link');
    symlinkSync(notesIn(world), link);
    await init(world, link);
    expect(world.written).toEqual({ vault: { path: link } });
  });

  test('a folder without notes, with a warning', async () => {
    await using world = new World();
    const path = notesIn(world);
    const { code, err } = await init(world, path, '--include', '**/*.org');
    expect(code).toBe(exitCodes.ok);
    expect(err).toContain(`Warning: No file in ${path} fits **/*.org.`);
    expect(err).toContain('--include');
  });
});

test('memories that the patterns leave out are a warning', async () => {
  await using world = new World();
  const path = notesIn(world);
  const { code, err } = await init(world, path, '--memories', 'AI', '--exclude', 'AI');
  expect(code).toBe(exitCodes.ok);
  expect(err).toContain('Warning: What is written to AI will not be found: the patterns leave it out.');
  expect(world.written?.vault).toMatchObject({ memories: 'AI' });
});

describe('what is refused changes nothing, and says so', () => {
  test.each<[what: string, words: (world: World) => string[], code: string, says: string]>([
    ['a folder that is not there', ({ home }) => [join(home, 'none')], 'no_folder', 'does not exist'],
    ['a file', (world) => [join(notesIn(world), 'a.md')], 'no_folder', 'is not a folder'],
    ['the root', () => ['/'], 'too_wide', 'far more than notes'],
    ['the home folder', () => ['~'], 'too_wide', homedir()],
    ['memories outside of it', (world) => [notesIn(world), '--memories', '../x'], 'no_folder', 'leads out'],
    ['hidden memories', (world) => [notesIn(world), '--memories', 'a/.b'], 'no_folder', 'is hidden'],
    ['an empty pattern', (world) => [notesIn(world), '--include', ''], 'bad_config', 'vault.include.0'],
    ['a profile that there is not', (world) => [notesIn(world), '--profile', 'x'], 'no_such_profile', '"x"'],
  ])('%s', async (_, words, code, says) => {
    await using world = new World();
    world.write({ port: 18_900 });
    const { code: exit, out } = await init(world, ...words(world), '--json');
    const { error } = JSON.parse(out);
    expect([exit, error.code]).toEqual([exitCodes.usage, code]);
    expect(error.message).toContain(says);
    expect(world.written).toEqual({ port: 18_900 });
  });

  test('a vault with a key that is misspelt, so that nobody finds what was to be left alone', async () => {
    await using world = new World();
    const path = notesIn(world);
    world.write({ vault: { path, exlcude: ['Private'] } });
    const { code, err } = await init(world, path);
    expect(code).toBe(exitCodes.usage);
    expect(err).toContain('exlcude');
    expect(world.written).toEqual({ vault: { path, exlcude: ['Private'] } });
    expect((await init(world, path, '--exclude', 'Private', '--replace')).code).toBe(exitCodes.ok);
    expect(world.written).toEqual({ vault: { path, exclude: ['Private'] } });
  });

  test('a configuration that was wrong before', async () => {
    await using world = new World();
    world.write({ vualt: {} });
    const { code, err } = await init(world, notesIn(world));
    expect(code).toBe(exitCodes.usage);
    expect(err).toContain('vualt');
    expect(world.written).toEqual({ vualt: {} });
  });

  test('a folder that may not be read', async () => {
    await using world = new World();
    const path = notesIn(world);
    chmodSync(path, 0o300);
    chmodSync(dirname(path), 0o755);
    const file = join(import.meta.dirname, '../../../src/cli/commands/vault/setup/folder.ts');
    expect(asNobody(file, 'vaultFolder', path)).toContain('must not be read by you');
    chmodSync(path, 0o700);
  });
});

describe('a running bridge', () => {
  test('is told of all vaults, with its providers as the file has them', async () => {
    await using world = await World.withBridge();
    const work = notesIn(world, 'work');
    const path = notesIn(world);
    world.write({
      profiles: [
        { match: 'w:*', vault: { path: work } },
        { match: 'n:*', vault: false },
      ],
      providers: [{ name: 'mail', command: ['x'] }],
    });
    const { code, err } = await init(world, path);
    expect(code).toBe(exitCodes.ok);
    expect(err).toContain('taken over by the running bridge');
    const { path: _, ...filled } = VaultSettings.parse({ path });
    expect(world.desk.choices).toEqual([
      {
        vault: { path, ...filled },
        profiles: [
          { match: 'w:*', vault: { path: work, ...filled } },
          { match: 'n:*', vault: false },
        ],
      },
    ]);
    expect(world.desk.sets.map((set) => set.map(({ name }) => name))).toEqual([['mail']]);
  });

  test('that knows no vaults is said to have it not', async () => {
    await using world = await World.withBridge();
    world.desk.set = async () => [];
    world.refresh();
    const { code, out } = await init(world, notesIn(world), '--json');
    expect(code).toBe(exitCodes.failure);
    expect(JSON.parse(out)).toMatchObject({
      running: true,
      applied: false,
      problem: 'It is of a release without vaults.',
      index: null,
    });
    expect(world.written?.vault).toBeDefined();
  });
});
