// A vault that asks a server what words mean: what it finds then, and what it does when the server is in trouble.
import { execFileSync } from 'node:child_process';
import { globSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { VaultSettings } from '../../../src/protocol/settings/vault.ts';
import type { VaultOptions } from '../../../src/vault/vault.ts';
import { samples } from '../../secrets/samples.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';
import { SmallOllama, type Trouble } from '../embed/small-ollama.ts';
import { find, smallVault } from '../support/small-vault.ts';
import { putFile, tempFolder, tempVault } from '../temp-vault.ts';

const notes = {
  'Garden.md': '# Garden\n\nThe fence is painted green every spring.\n',
  'House.md': '# House\n\nThe rent is 900 euros.\n',
  'Boat.md': '# Boat\n\nThe mast has to be varnished.\n',
};

/** The letters of "the rent", of which no word stands in a note: words that mean the same to the small server. */
const sameLetters = 'tner eht eht';

async function house(options: Partial<VaultOptions> = {}) {
  const server = await SmallOllama.start();
  const root = tempVault(notes);
  const { embeddings, ollama } = VaultSettings.parse({
    path: root,
    embeddings: 'ollama',
    ollama: { url: server.url, model: 'small' },
  });
  const open = (more: Partial<VaultOptions> = {}) =>
    smallVault(root, { embeddings, ollama }, { stays: true, ...options, ...more });
  const small = open();
  await small.vault.build();
  await small.vault.followed();
  return { server, root, ...small, reopened: () => open({ dir: small.dir }) };
}

test('a note is found by what it means, though no word of the question stands in it', async () => {
  const { vault, printed } = await house();
  const { results, status, message } = await find(vault, sameLetters);
  expect({ printed, status, message }).toEqual({ printed: [], status: 'healthy', message: null });
  expect(results[0]?.file).toBe('House.md');
});

test('what was written since is found by its meaning as soon as the model has seen it', async () => {
  const { vault, root, server } = await house();
  putFile(root, 'Zoo.md', '# Zoo\n\nzzzz zzzz\n');
  expect((await find(vault, 'zoo')).results[0]?.file).toBe('Zoo.md');
  await until('the new note', async () => (await find(vault, 'zzz')).results[0]?.file === 'Zoo.md');
  const asked = server.asked.flatMap(({ input }) => input).filter((text) => text.includes('varnished'));
  expect(asked).toHaveLength(1);
});

/** What the server does of each is in `small-ollama.ts`. `isLate`: it has not answered when the search has to. */
const troubles: [name: string, trouble: Trouble, more: Partial<SmallOllama>, isLate: boolean][] = [
  ['404, no model', 'missing', {}, false],
  ['404, no model yet', 'missing, pull', {}, false],
  ['a text that is too long', 'none', { context: 3 }, false],
  ['503', 'busy', {}, false],
  ['half of an answer', 'half', {}, false],
  ['NaN', 'nan', {}, false],
  ['wrong dimensions', 'dimensions', {}, false],
  ['one bad item', 'bad item', {}, false],
  ['no answer', 'hangs', {}, true],
  ['a cold model that takes 13 seconds', 'none', { late: 13_000 }, true],
  ['slow', 'none', { late: 3_000 }, true],
];

test.each(troubles)('%s: the words answer within two seconds', async (_, trouble, more, isLate) => {
  const clock = new ManualClock();
  const { vault, server, printed } = await house({ clock });
  Object.assign(server, { trouble, ...more });
  const found = find(vault, 'poison rent');
  // Without this, the answer has to come by itself.
  if (isLate) clock.advance(1_999);
  const { results, status, code, message } = await found;
  expect(results[0]?.file).toBe('House.md');
  expect({ status, code, printed }).toEqual({ status: 'degraded', code: 'OLLAMA_UNREACHABLE', printed: [] });
  expect(message).toMatch(/ Notes are found by their words alone\.$/);
  expect(vault.health).toMatchObject({ status: 'degraded' });
});

test('nobody listens there: said, and well again as soon as somebody does', async () => {
  const { vault, server } = await house();
  await server.stop();
  const { results, status, code, message } = await find(vault, 'rent');
  expect(results[0]?.file).toBe('House.md');
  expect({ status, code, message }).toEqual({
    status: 'degraded',
    code: 'OLLAMA_UNREACHABLE',
    message: `Ollama does not answer at ${server.url}. Notes are found by their words alone.`,
  });
  await server.again();
  expect((await find(vault, 'rent')).status).toBe('healthy');
});

test('a vault that is well again says so, though nobody searches', async () => {
  const clock = new ManualClock();
  const { vault, server } = await house({ clock });
  await server.stop();
  await vault.followed();
  expect(vault.health.reason).toContain('found by their words alone: Ollama does not answer');
  await server.again();
  clock.advance(30_000);
  await until('health', () => vault.health.status === 'healthy');
});

test('a status tells what is known of how many parts, and what is wrong', async () => {
  const { vault, server } = await house();
  const embeddings = { by: 'ollama', model: 'small', state: 'ready', done: 3, total: 3 };
  expect(await vault.status()).toMatchObject({ status: 'healthy', data: { engine: 'sqlite', embeddings } });
  server.trouble = 'missing';
  expect(await vault.status()).toMatchObject({
    status: 'degraded',
    error: { code: 'OLLAMA_UNREACHABLE', suggestion: 'Get it: `ollama pull small`.' },
    data: { embeddings: { state: 'failed', done: null }, notes: 3 },
  });
});

test('a secret in a note or a question is not told to the server', async () => {
  const { vault, root, server } = await house();
  const [[, secret] = ['', '']] = samples;
  putFile(root, 'Key.md', `# Key\n\n${secret}\n`);
  await vault.build();
  await vault.followed();
  await find(vault, `what is ${secret}`);
  const told = server.asked.flatMap(({ input }) => input).join('\n');
  expect(told).toContain('Key');
  expect(told).toContain('what is');
  expect(told).not.toContain(secret);
});

test('vectors of one model are never compared with those of another', async () => {
  const { vault, server, dir } = await house();
  const stores = () => globSync('*.db', { cwd: join(dir, 'vectors') });
  const before = stores();
  server.digest = 'other';
  server.late = 100;
  expect(await find(vault, sameLetters)).toMatchObject({ code: 'INDEX_BUILDING', results: [] });
  server.late = 0;
  await until('its vectors', async () => (await find(vault, sameLetters)).status === 'healthy');
  expect((await find(vault, sameLetters)).results[0]?.file).toBe('House.md');
  // What nobody can be asked about any more is gone.
  await until('one store', () => stores().length === 1);
  expect(stores()).not.toEqual(before);
});

test('vectors that are gone without a word are missed, and made anew', async () => {
  const { vault, dir } = await house();
  const [file = ''] = globSync(join(dir, 'vectors/*.db'));
  const db = new DatabaseSync(file);
  db.exec('DELETE FROM vectors WHERE id = 2');
  db.close();
  const { status, code, message } = await find(vault, 'rent');
  expect([status, code]).toEqual(['degraded', 'INDEX_BUILDING']);
  expect(message).toMatch(/^What the notes mean is known of 2 of 3 parts\./);
  await until('new vectors', async () => (await find(vault, 'rent')).status === 'healthy');
});

test('damage that several questions meet at once has the row put again, and no other', async () => {
  const { vault, dir, server } = await house();
  const [file = ''] = globSync(join(dir, 'vectors/*.db'));
  const db = new DatabaseSync(file);
  db.exec('UPDATE vectors SET sum = 0 WHERE id = 2');
  db.close();
  const before = server.asked.length;
  const found = await Promise.all([find(vault, 'rent'), find(vault, 'fence'), find(vault, 'mast')]);
  expect(found.map(({ code }) => code)).toEqual(found.map(() => 'INDEX_CORRUPTED'));
  await until('a new vector', async () => (await find(vault, 'rent')).status === 'healthy');
  const told = server.asked.slice(before).flatMap(({ input }) => input);
  expect(told.filter((text) => / (?:painted|euros|varnished)/.test(text))).toHaveLength(1);
});

test('damage that comes back although the row was put again ends with new vectors', async () => {
  const { vault, dir } = await house();
  const [file = ''] = globSync(join(dir, 'vectors/*.db'));
  const db = new DatabaseSync(file);
  // What is left of a table whose list of hashes is damaged: a row that is put again stands beside the old one.
  db.exec(`CREATE TABLE left AS SELECT * FROM vectors; DROP TABLE vectors; ALTER TABLE left RENAME TO vectors;
    UPDATE vectors SET sum = 0 WHERE id = 2`);
  db.close();
  expect(await find(vault, 'rent')).toMatchObject({ status: 'degraded', code: 'INDEX_CORRUPTED' });
  await until('new vectors', async () => (await find(vault, sameLetters)).results[0]?.file === 'House.md');
  expect(await find(vault, 'rent')).toMatchObject({ status: 'healthy', code: null });
});

test('vectors that were damaged are told apart from good ones, and made anew', async () => {
  const first = await house();
  first.vault.close();
  const folder = join(first.dir, 'vectors');
  for (const name of readdirSync(folder)) {
    if (/-(?:wal|shm)$/.test(name)) rmSync(join(folder, name));
    else if (/^[0-9a-f]{16}/.test(name)) writeFileSync(join(folder, name), 'no vectors');
  }
  const { vault } = first.reopened();
  const told = await find(vault, 'rent');
  expect(told.status).toBe('degraded');
  // The latter where a busy machine needs longer for the program that knows than a question waits.
  expect(['INDEX_CORRUPTED', 'OLLAMA_UNREACHABLE']).toContain(told.code);
  await until('new vectors', async () => (await find(vault, sameLetters)).results[0]?.file === 'House.md');
});

const isRoot = process.geteuid?.() === 0 && process.platform === 'linux';

// Root alone may mount a small disk.
test.runIf(isRoot)('a full disk is said in words, and with room the rest is made', async () => {
  const mount = tempFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160k', 'none', mount]);
  onTestFinished(() => void execFileSync('umount', ['-l', mount]));
  const { vault, root, printed } = await house({ vectors: join(mount, 'vectors') });
  for (let at = 0; at < 500; at += 1) putFile(root, `many/${at}.md`, `# ${at}\n\npage ${at}\n`);
  await vault.build();
  await vault.followed();
  const { code, message, results } = await find(vault, 'rent');
  expect([code, results[0]?.file, printed]).toEqual(['EMBEDDINGS_UNAVAILABLE', 'House.md', []]);
  expect(message).toMatch(/^The disk that holds the vectors is full; what was made before is kept\./);
  expect(vault.health.reason).toContain('The disk that holds the vectors is full');
  execFileSync('mount', ['-o', 'remount,size=64m', mount]);
  await vault.followed();
  expect(await find(vault, 'rent')).toMatchObject({ status: 'healthy', code: null });
  expect(vault.health).toEqual({ status: 'healthy', reason: '' });
});
