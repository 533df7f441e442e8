// A vault as an agent uses it: real notes, the real indexer, the real index.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { samples } from '../secrets/samples.ts';
import { find, smallVault } from './support/small-vault.ts';
import { putFile, tempFolder, tempVault } from './temp-vault.ts';

const notes = {
  'House.md':
    '---\ntags: [home, money/rent]\naliases: [Flat]\n---\n# House\n\n## Rent\n\nThe rent is 900 euros.\n',
  'Work/Plan.md': '# Plan\n\nThe launch of the observatory is in spring. #project\n',
  '日記.md': '# 日記\n\n今日は東京で会議がありました。\n',
};

const indexed = async (files: Record<string, string> = notes) => {
  const root = tempVault(files);
  const house = smallVault(root);
  await house.vault.build();
  return { root, ...house };
};

test('an index is being made once; later it answers while it is brought up to date', async () => {
  const root = tempVault(notes);
  const { vault, dir } = smallVault(root);
  const first = vault.build();
  expect(vault.health).toEqual({ status: 'degraded', reason: 'its index is being made' });
  await first;
  expect(vault.health.status).toBe('healthy');

  const { vault: next } = smallVault(root, {}, { dir });
  const second = next.build();
  expect([next.job?.state, next.health.status]).toEqual(['running', 'healthy']);
  await second;
});

describe('a search', () => {
  test('finds the note, its line and what stands above', async () => {
    const { vault } = await indexed();
    const { status, results } = await find(vault, 'how high is the rent');
    expect(status).toBe('healthy');
    expect(results[0]).toMatchObject({ file: 'House.md', line: 5, heading: 'House › Rent' });
    expect(results[0]?.text).toContain('The rent is 900 euros.');
  });

  test('says what it looked through, and marks what it quotes as data', async () => {
    const { vault } = await indexed();
    const { data, meta } = await vault.search({ query: 'rent', limit: 8 });
    expect(data).toMatchObject({ notice: expect.stringContaining('data') });
    expect(meta).toMatchObject({ chunks_scanned: 3, index_version: '1' });
    expect(Date.parse(meta.vault_mtime ?? '')).toBeGreaterThan(0);
  });

  test('finds by alias, file name, and words in a language without blanks', async () => {
    const { vault } = await indexed();
    for (const [query, file] of [
      ['flat', 'House.md'],
      ['plans', 'Work/Plan.md'],
      ['会議', '日記.md'],
    ] as const)
      expect((await find(vault, query)).results[0]?.file).toBe(file);
  });

  test('keeps to a folder and to a tag, with those below it', async () => {
    const { vault } = await indexed();
    expect((await find(vault, 'rent launch', { folder: 'Work/' })).places).toEqual(['Work/Plan.md:1']);
    expect((await find(vault, 'rent launch', { tag: '#Money' })).places).toEqual(['House.md:5']);
    expect((await find(vault, 'rent launch', { tag: 'mone' })).places).toEqual([]);
  });

  test('that finds nothing is healthy and empty; one without a word is no search', async () => {
    const { vault } = await indexed();
    expect(await find(vault, 'zeppelin')).toMatchObject({ status: 'healthy', results: [] });
    expect((await find(vault, '?!')).code).toBe('INVALID_ARGUMENTS');
  });

  test.each(['../secret', '/etc', 'a/../../b', 'C:\\notes', 'nul\0', '~root', '..%2f..'])(
    'does not leave the vault for the folder %j',
    async (folder) => {
      const { vault } = await indexed();
      expect(await find(vault, 'rent', { folder })).toMatchObject({
        status: 'unavailable',
        code: 'SECURITY_VIOLATION',
        results: [],
      });
    },
  );

  test('follows no link, and reads nothing that is hidden or excluded', async () => {
    const outside = tempFolder();
    writeFileSync(join(outside, 'secret.md'), '# Zeppelin\n');
    const root = tempVault({ ...notes, '.obsidian/zeppelin.md': 'zeppelin', 'Private/a.md': 'zeppelin' });
    symlinkSync(outside, join(root, 'folder'));
    symlinkSync(join(outside, 'secret.md'), join(root, 'link.md'));
    const { vault } = smallVault(root, { exclude: ['Private/**'] });
    await vault.build();
    expect((await find(vault, 'zeppelin')).places).toEqual([]);
    expect((await vault.status()).data).toMatchObject({
      notes: 3,
      skipped: [{ file: 'folder' }, { file: 'link.md' }],
    });
  });
});

describe('an answer is never older than the disk', () => {
  test('what was changed, removed, renamed or added since is seen by the next search', async () => {
    const { vault, root } = await indexed();
    putFile(root, 'House.md', '# House\n\nThe rent is 950 euros.\n');
    renameSync(join(root, 'Work'), join(root, 'Job'));
    rmSync(join(root, '日記.md'));
    putFile(root, 'Deep/er/New.md', 'A zeppelin.\n');
    expect((await find(vault, 'rent')).results[0]?.text).toContain('950');
    expect((await find(vault, 'observatory')).places).toEqual(['Job/Plan.md:1']);
    expect((await find(vault, '会議')).places).toEqual([]);
    expect((await find(vault, 'zeppelin')).places).toEqual(['Deep/er/New.md:1']);
  });

  test('a note of the same size, saved in the same moment, is seen, too', async () => {
    const { vault, root } = await indexed({ 'a.md': 'alpha\n' });
    for (const word of ['bravo', 'delta', 'hotel']) {
      putFile(root, 'a.md', `${word}\n`);
      expect((await find(vault, word)).places).toEqual(['a.md:1']);
    }
  });

  test('what is excluded from now on is in no index any more', async () => {
    const { root, dir, vault } = await indexed();
    vault.close();
    const { vault: less } = smallVault(root, { exclude: ['Work'] }, { dir });
    expect((await find(less, 'observatory')).places).toEqual([]);
    expect((await less.status()).data).toMatchObject({ notes: 2 });
  });
});

describe('without an index', () => {
  test('that is said, with what to do, and nothing is made behind the back', async () => {
    const { vault } = smallVault(tempVault(notes));
    expect(await find(vault, 'rent')).toMatchObject({ status: 'unavailable', code: 'INDEX_NOT_FOUND' });
    expect(vault.job).toBeNull();
  });

  test('who stays begins to make it, and soon answers', async () => {
    const { vault } = smallVault(tempVault(notes), {}, { stays: true });
    expect(await find(vault, 'rent')).toMatchObject({ code: 'INDEX_NOT_FOUND' });
    await vault.build();
    expect((await find(vault, 'rent')).status).toBe('healthy');
    expect(vault.health).toEqual({ status: 'healthy', reason: '' });
  });

  test('an empty folder has none, and one whose notes all went away keeps what it had', async () => {
    const { vault } = smallVault(tempVault());
    expect((await find(vault, 'rent')).code).toBe('INDEX_NOT_FOUND');
    const { vault: full, root } = await indexed();
    renameSync(root, `${root}-away`);
    mkdirSync(root);
    expect(await find(full, 'rent')).toMatchObject({ status: 'unavailable', code: 'INDEX_NOT_FOUND' });
    rmSync(root, { recursive: true });
    expect(await find(full, 'rent')).toMatchObject({ status: 'unavailable', code: 'VAULT_UNREACHABLE' });
    expect(full.health.status).toBe('unavailable');
    renameSync(`${root}-away`, root);
    expect((await find(full, 'rent')).places).toEqual(['House.md:5']);
    expect(full.job?.id).toBe(1);
  });
});

describe('the indexer', () => {
  test('that crashes is tried once more; then the answer is what there is, and says so', async () => {
    const { vault, root, dir } = await indexed();
    vault.close();
    const crashing = join(tempFolder(), 'crashing.mjs');
    writeFileSync(crashing, "process.on('message', () => process.exit(3));\n");
    const { vault: worse } = smallVault(root, {}, { dir, indexer: crashing });
    putFile(root, 'New.md', 'zeppelin');
    const found = await find(worse, 'rent zeppelin');
    expect(found).toMatchObject({ status: 'degraded', code: 'INDEXER_FAILED', places: ['House.md:5'] });
    expect(worse.health).toMatchObject({ status: 'degraded' });
    expect(await worse.index(false)).toMatchObject({
      status: 'unavailable',
      error: { code: 'INDEXER_FAILED' },
    });
  });

  test('builds anew beside the index that answers', async () => {
    const { vault } = await indexed();
    const built = vault.build(true);
    expect((await find(vault, 'rent')).status).toBe('healthy');
    await built;
    expect(vault.job).toMatchObject({ state: 'done', result: { built: true, read: 3 } });
    expect((await vault.search({ query: 'rent', limit: 1 })).meta.index_version).toBe('2');
  });

  test('names files that are no notes it can read, and why', async () => {
    const root = tempVault(notes);
    writeFileSync(join(root, 'binary.md'), Buffer.from([0, 1, 2, 3]));
    writeFileSync(join(root, 'huge.md'), Buffer.alloc(4 * 1024 * 1024 + 1, 'a'));
    const { vault } = smallVault(root);
    await vault.build();
    expect((await vault.status()).data).toMatchObject({
      notes: 5,
      skipped: [
        { file: 'binary.md', why: 'is no text' },
        { file: 'huge.md', why: 'has more than 4194304 bytes' },
      ],
    });
  });
});

describe('a secret', () => {
  const [, secret] = samples[0] as readonly [string, string];

  test('is not shown; its line is named, and shown once for each time that it was named', async () => {
    const { vault } = await indexed({
      'Keys.md': `# Keys\n\nThe token of the printer is ${secret} today.\n`,
    });
    const found = await find(vault, 'printer');
    expect(found).toMatchObject({ status: 'degraded', code: 'SENSITIVE_FILTERED' });
    expect(JSON.stringify(found)).not.toContain(secret);
    expect(found.withheld).toEqual([
      { file: 'Keys.md', line: 3, kind: 'GitHub token', release: expect.any(String) },
    ]);
    const release = found.withheld[0]?.release ?? '';
    const released = await vault.release(release);
    expect(released.data).toMatchObject({ file: 'Keys.md', line: 3, text: expect.stringContaining(secret) });
    expect(await vault.release(release)).toMatchObject({ error: { code: 'SENSITIVE_FILTERED' }, data: null });
  });

  test('whose line is another one by now is not released', async () => {
    const { vault, root } = await indexed({ 'Keys.md': `printer ${secret}\n` });
    const { withheld } = await find(vault, 'printer');
    putFile(root, 'Keys.md', 'printer, and nothing else\nsecret of somebody\n');
    expect((await vault.release(withheld[0]?.release ?? '')).data).toBeNull();
  });

  test('is not stored as a memory', async () => {
    const { vault, root } = await indexed();
    const stored = await vault.store({ text: `remember ${secret}` });
    expect(stored).toMatchObject({ status: 'degraded', error: { code: 'SENSITIVE_FILTERED' }, data: null });
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect((await find(vault, 'remember')).places).toEqual([]);
    expect(() => renameSync(join(root, 'Memories'), join(root, 'x'))).toThrow('ENOENT');
  });
});

test('what is stored is found by the next search', async () => {
  const { vault } = await indexed();
  const stored = await vault.store({
    text: 'The zeppelin lands on Tuesday.',
    topic: 'Travel',
    tags: ['trip'],
  });
  expect(stored).toMatchObject({ status: 'healthy', data: { file: 'Memories/Travel.md', isNew: true } });
  expect((await find(vault, 'zeppelin')).results[0]).toMatchObject({ file: 'Memories/Travel.md' });
  expect((await find(vault, 'zeppelin', { tag: 'trip' })).places).toHaveLength(1);
});

test('a memory that cannot be written is refused in words', async () => {
  const { vault } = await indexed();
  const stored = await vault.store({ text: 'x'.repeat(9_000) });
  expect(stored).toMatchObject({ status: 'unavailable', error: { code: 'NOT_STORED' } });
});
