// What a kill, a damaged file and a full disk leave of an index.
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { KernelLock } from '../../../src/base/files/kernel-lock.ts';
import type { IndexerNews, IndexOrder } from '../../../src/vault/indexing/order.ts';
import { namedSamples, samples } from '../../secrets/samples.ts';
import { runs } from '../../support/runs.ts';
import { seeded } from '../../support/seeded.ts';
import { find, indexer, smallVault } from '../support/small-vault.ts';
import { putFile, tempFolder, tempVault } from '../temp-vault.ts';

const words = [
  'river',
  'garden',
  'harbour',
  'letter',
  'winter',
  'market',
  'bridge',
  'violin',
  'copper',
  'island',
];
const textOf = (random: () => number, length = 60): string =>
  Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(' ');

function manyNotes(count: number, random: () => number): Record<string, string> {
  const all: Record<string, string> = {};
  for (let at = 0; at < count; at += 1)
    all[`folder${at % 20}/note${at}.md`] = `# Note ${at}\n\nunique${at} ${textOf(random)}\n`;
  return all;
}

test('200 edits, removals and renames that nobody watched are all seen by the next search, and no ghost', async () => {
  const random = seeded(1);
  const root = tempVault(manyNotes(600, random));
  const { vault } = smallVault(root);
  await vault.build();
  const gone: string[] = [];
  const there: [word: string, file: string][] = [];
  for (let at = 0; at < 200; at += 1) {
    const file = `folder${at % 20}/note${at}.md`;
    const kind = at % 4;
    if (kind === 0) {
      rmSync(join(root, file));
      gone.push(`unique${at}`);
    } else if (kind === 1) {
      renameSync(join(root, file), join(root, `moved${at}.md`));
      there.push([`unique${at}`, `moved${at}.md`]);
    } else {
      putFile(root, file, `# Note ${at}\n\nchanged${at} ${textOf(random)}\n`);
      gone.push(`unique${at}`);
      there.push([`changed${at}`, file]);
    }
  }
  for (const [word, file] of there)
    expect((await find(vault, word)).results.map((result) => result.file)).toEqual([file]);
  for (const word of gone) expect((await find(vault, word)).results).toEqual([]);
  expect(vault.job?.id).toBe(2);
});

interface Run {
  /** Notes that were in the index when it first said so. */
  first: number;
  /** The most that it has said to be in the index. */
  acknowledged: number;
  /** Notes that it read; undefined for one that was killed. */
  read: number | undefined;
}

/** Runs the indexer until it has told so much, and kills it then; or until its end. */
async function run(order: IndexOrder, killAt = Number.POSITIVE_INFINITY): Promise<Run> {
  const child: ChildProcess = fork(indexer, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const told: Run = { first: 0, acknowledged: 0, read: undefined };
  child.on('message', (news: IndexerNews) => {
    if (news.type === 'progress') {
      told.first ||= news.done;
      told.acknowledged = news.done;
    }
    if (news.type === 'done') told.read = news.result.read;
    if (news.type !== 'progress' || told.acknowledged >= killAt) child.kill('SIGKILL');
  });
  child.send(order);
  await once(child, 'exit');
  return told;
}

test('50 kills in the middle: what was told to be indexed stays so, and the old index answers meanwhile', async () => {
  const random = seeded(2);
  const count = 600;
  const root = tempVault(manyNotes(count, random));
  const { vault, dir } = smallVault(root);
  await vault.build();
  // A rebuild goes on with what an interrupted one has left.
  const order = { root, include: ['**/*.md'], exclude: [], dir, rebuild: true };
  let before = 0;
  let finished = 0;
  for (let kill = 0; kill < Math.max(6, runs(50)); kill += 1) {
    const { first, acknowledged, read } = await run(order, before + 1 + Math.floor(random() * 200));
    // Nothing that was acknowledged is done again.
    expect(first).toBeGreaterThanOrEqual(before);
    before = read === undefined ? acknowledged : 0;
    if (read !== undefined) finished += 1;
    const at = Math.floor(random() * count);
    const { status, places } = await find(vault, `unique${at}`);
    expect({ status, places }).toEqual({ status: 'healthy', places: [`folder${at % 20}/note${at}.md:1`] });
  }
  expect((await run(order)).read).toBeLessThanOrEqual(count - before);
  expect(finished).toBeGreaterThan(0);
}, 180_000);

test('kills while changes are taken in: none that was acknowledged is lost, and none is overlooked', async () => {
  const random = seeded(3);
  const root = tempVault(manyNotes(400, random));
  const { vault, dir } = smallVault(root);
  await vault.build();
  const order = { root, include: ['**/*.md'], exclude: [], dir, rebuild: false };
  for (let kill = 0; kill < Math.max(2, runs(10)); kill += 1) {
    for (let at = 0; at < 400; at += 2)
      putFile(root, `folder${at % 20}/note${at}.md`, `round${kill}x${at} ${textOf(random, 20)}\n`);
    const { acknowledged } = await run(order, 400 + Math.floor(random() * 200));
    const { read } = await run(order);
    expect(read).toBeLessThanOrEqual(400 - acknowledged);
    for (const at of [0, 198, 398])
      expect(await find(vault, `round${kill}x${at}`)).toMatchObject({
        status: 'healthy',
        results: [{ file: `folder${at % 20}/note${at}.md` }],
      });
  }
});

type Damage = (file: string, random: () => number) => void;

const damages: Record<string, Damage> = {
  'a flipped bit': (file, random) => {
    const bytes = readFileSync(file);
    const at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    writeFileSync(file, bytes);
  },
  '64 random bytes': (file, random) => {
    const bytes = readFileSync(file);
    const at = Math.floor(random() * bytes.length);
    for (let each = at; each < Math.min(at + 64, bytes.length); each += 1)
      bytes[each] = Math.floor(random() * 256);
    writeFileSync(file, bytes);
  },
  'a page of zeros': (file, random) => {
    const bytes = readFileSync(file);
    const page = Math.floor((random() * bytes.length) / 4096);
    bytes.fill(0, page * 4096, Math.min((page + 1) * 4096, bytes.length));
    writeFileSync(file, bytes);
  },
  'an end that is cut off': (file, random) => truncateSync(file, Math.floor(random() * statSync(file).size)),
  'no bytes': (file) => truncateSync(file, 0),
  'no file': (file) => rmSync(file),
};

test('whatever is damaged, an answer that is called healthy is the right one, and indexing mends it', async () => {
  const random = seeded(4);
  const root = tempVault(manyNotes(120, random));
  const { vault, dir } = smallVault(root);
  await vault.build();
  // A part that is only in the write-ahead log, as a killed indexer leaves it.
  putFile(root, 'folder1/note1.md', 'unique1 zeppelin\n');
  const right = await find(vault, 'unique7 harbour', { limit: 20 });
  vault.close();
  const files = readdirSync(dir).filter(
    (name) => !name.endsWith('.lock') && statSync(join(dir, name)).size > 0,
  );
  expect(files).toEqual(expect.arrayContaining(['1.db', '1.seal', 'current']));
  const seen = { healthy: 0, not: 0 };
  for (let round = 0; round < Math.max(12, runs(150)); round += 1) {
    const copy = tempFolder();
    cpSync(dir, copy, { recursive: true });
    const [name, damage] = Object.entries(damages)[round % 6] as [string, Damage];
    const file = files[Math.floor(random() * files.length)] ?? '1.db';
    damage(join(copy, file), random);
    const { vault: damaged } = smallVault(root, {}, { dir: copy });
    const answer = await find(damaged, 'unique7 harbour', { limit: 20 });
    const what = `${name} in ${file}`;
    if (answer.status === 'healthy') {
      seen.healthy += 1;
      expect(answer, what).toEqual(right);
    } else {
      seen.not += 1;
      expect(answer.code, what).toMatch(/^INDEX_(?:CORRUPTED|NOT_FOUND|BUILDING)$/);
      expect(answer.results, what).toEqual([]);
    }
    if (round % 10 === 0) {
      await damaged.build();
      const mended = await find(damaged, 'unique7 harbour', { limit: 20 });
      expect(mended.status, what).toBe('healthy');
      expect(mended.places[0], what).toBe('folder7/note7.md:1');
    }
    damaged.close();
    rmSync(copy, { recursive: true });
  }
  expect(seen.not).toBeGreaterThan(seen.healthy);
});

test('damage that comes while the index is open is found as well', async () => {
  const root = tempVault(manyNotes(120, seeded(5)));
  const { vault, dir } = smallVault(root, {}, { stays: true });
  await vault.build();
  expect((await find(vault, 'unique7')).status).toBe('healthy');
  damages['64 random bytes']?.(join(dir, '1.db'), seeded(6));
  expect(await find(vault, 'unique7')).toMatchObject({ status: 'unavailable', code: 'INDEX_CORRUPTED' });
  expect(vault.health).toMatchObject({ status: 'unavailable' });
  await vault.build();
  expect(await find(vault, 'unique7')).toMatchObject({ status: 'healthy', places: ['folder7/note7.md:1'] });
});

test('no secret is in a file of the index, nor in an answer', async () => {
  const all = [...samples.map(([, secret]) => secret), ...namedSamples.map(([, , secret]) => secret)];
  const lines = [
    ...samples.map(([kind, secret]) => `the ${kind} of the harbour: ${secret}`),
    ...namedSamples.map(([, line, secret]) => line.replace('…', secret)),
  ];
  const files = Object.fromEntries(
    lines.map((line, at) => [`keys${at}.md`, `# Keys ${at}\n\nharbour ${at}\n\n${line}\n`]),
  );
  const { vault, dir } = smallVault(tempVault(files));
  await vault.build();
  const bytes = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1'));
  const answers: string[] = [];
  for (let at = 0; at < lines.length; at += 1)
    answers.push(JSON.stringify(await find(vault, `harbour ${at} keys`)));
  const parts = (secret: string) => secret.split('\n').filter((line) => !line.startsWith('-----'));
  for (const secret of all.flatMap(parts)) {
    // A PIN stands in the time of a file, or in a hash, by chance.
    if (secret.length >= 8) expect(bytes.filter((text) => text.includes(secret))).toEqual([]);
    expect(answers.filter((text) => text.includes(secret))).toEqual([]);
  }
  expect(answers.join('')).toContain('secret:');
});

const isRoot = process.geteuid?.() === 0 && process.platform === 'linux';

// Root alone may mount a small disk.
test.runIf(isRoot)('a full disk is said in words, and with room it goes on where it was', async () => {
  const root = tempVault(manyNotes(1_200, seeded(7)));
  const mount = tempFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=900k', 'none', mount]);
  onTestFinished(() => void execFileSync('umount', ['-l', mount]));
  const { vault, printed } = smallVault(root, {}, { dir: join(mount, 'index') });
  await vault.build();
  expect(vault.job).toMatchObject({ state: 'failed', error: { reason: 'disk_full' } });
  expect(printed).toEqual([]);
  expect(await find(vault, 'unique7')).toMatchObject({ code: 'INDEXER_FAILED', results: [] });
  execFileSync('mount', ['-o', 'remount,size=64m', mount]);
  await vault.build();
  expect(vault.job).toMatchObject({ state: 'done' });
  expect(vault.job?.result?.read).toBeLessThan(1_200);
  expect((await find(vault, 'unique7')).places).toEqual(['folder7/note7.md:1']);
});

test('while somebody else is at the index, that is said; once he has done the work, it counts no more', async () => {
  const root = tempVault(manyNotes(20, seeded(8)));
  const { vault, dir } = smallVault(root);
  await vault.build();
  const lock = KernelLock.take(join(dir, 'indexing.lock'), 0);
  putFile(root, 'new.md', 'zeppelin');
  const found = await find(vault, 'unique7');
  expect(found).toMatchObject({ status: 'degraded', code: 'INDEX_BUILDING', places: ['folder7/note7.md:1'] });
  await vault.build();
  expect(vault.job).toMatchObject({ state: 'failed', error: { reason: 'busy' } });
  expect(vault.health).toMatchObject({ status: 'degraded' });
  lock.release();
  await run({ root, include: ['**/*.md'], exclude: [], dir, rebuild: false });
  expect((await find(vault, 'zeppelin')).places).toEqual(['new.md:1']);
  expect(vault.health).toEqual({ status: 'healthy', reason: '' });
});

test('a rebuild that is asked for while changes are taken in is done behind them', async () => {
  const root = tempVault(manyNotes(20, seeded(10)));
  const { vault } = smallVault(root);
  await vault.build();
  putFile(root, 'new.md', 'zeppelin');
  await Promise.all([vault.build(), vault.build(true)]);
  expect(vault.job).toMatchObject({ id: 3, result: { built: true, read: 21 } });
});
