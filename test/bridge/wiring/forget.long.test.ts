// `rm` forgets: what a conversation said is gone when nothing of it runs and nobody reads it, whatever happens to the
// bridge in between, and whoever uses its key next begins anew.
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryFolder } from '../../../src/bridge/claude/launch/memory-folder.ts';
import { sessionDir } from '../../../src/bridge/claude/launch/session-files.ts';
import { mediaFolder } from '../../../src/bridge/media-store.ts';
import { runs } from '../../support/runs.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';
import { House } from './house.ts';

const gone = (house: House, text: string) => until('it is forgotten', () => !house.texts().includes(text));

function folders({ dir }: House, key: string): string[] {
  const made = [sessionDir(dir, key), join(dir, mediaFolder(key)), join(dir, memoryFolder(key))];
  for (const folder of made) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'file'), 'of a person');
  }
  return made;
}

test('what a session said, and its files, are gone when its Claude Code has ended, those of others stay', async () => {
  const house = new House(tempDir()).start();
  for (const key of ['goes', 'stays']) house.say(key, `text of ${key}`);
  const [mine, theirs] = [folders(house, 'goes'), folders(house, 'stays')];
  house.remove('goes');
  await house.dispatcher.stored();
  expect(house.dispatcher.session('goes')).toMatchObject({ removed: true, agent: { name: 'stopping' } });
  expect([house.texts(), mine.map((each) => existsSync(each))]).toEqual([
    expect.stringContaining('text of goes'),
    [true, true, true],
  ]);
  house.exit('goes');
  await gone(house, 'text of goes');
  expect(house.dispatcher.session('goes')).toBeUndefined();
  expect([...mine, ...theirs].map((each) => existsSync(each))).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ]);
  expect(house.texts()).toContain('text of stays');
  expect(house.texts()).not.toContain('"goes"');
  expect(await house.opened.chain.verify([])).toMatchObject({ outcome: 'proven', fault: null });
});

test('it is not forgotten while somebody reads it, and then at once', async () => {
  const house = new House(tempDir()).start();
  house.say('s', 'what is read');
  const leave = house.dispatcher.watch('s', () => {});
  house.exit('s');
  house.remove('s');
  await house.dispatcher.stored();
  await house.dispatcher.stored();
  expect(house.dispatcher.session('s')?.turns).toHaveLength(1);
  leave();
  await gone(house, 'what is read');
});

test('with keep its text and its files stay, in memory, in the journal and after a restart', async () => {
  const house = new House(tempDir()).start();
  house.say('s', 'what is kept');
  const files = folders(house, 's');
  house.exit('s');
  house.remove('s', true);
  await house.dispatcher.stored();
  const next = await house.again();
  expect(next.texts()).toContain('what is kept');
  expect(files.map((each) => existsSync(each))).toEqual([true, true, true]);
});

test('a key that is used before that begins anew, and keeps what is its own', async () => {
  const house = new House(tempDir()).start();
  house.say('s', 'the first one');
  const [, ...kept] = folders(house, 's');
  for (const dir of kept) utimesSync(join(dir, 'file'), 1, 1);
  house.remove('s');
  // Its Claude Code still runs, and what the hub lends comes before the message.
  house.dispatcher.dispatch('s', {
    type: 'catalog.set',
    tools: [{ name: 'exec', description: '', parameters: {} }],
  });
  for (const dir of kept) writeFileSync(join(dir, 'new'), 'of the second one');
  const code = house.say('s', 'the second one');
  await gone(house, 'the first one');
  const { turns, asks, tools } = house.dispatcher.session('s') ?? {};
  expect([turns?.map(({ text }) => text), asks?.length, tools?.length]).toEqual([['the second one'], 1, 1]);
  expect(kept.map((dir) => readdirSync(dir))).toEqual([['new'], ['new']]);
  const before = house.dispatcher.session('s');
  const next = await house.again();
  expect(next.dispatcher.session('s')).toEqual(before);
  expect(next.codes.isKnown(code)).toBe(true);
});

test('a bridge that was killed before it got to it does it at its next start', async () => {
  // It never starts: nothing is forgotten in its time.
  const house = new House(tempDir());
  const code = house.say('s', 'what was said');
  const files = folders(house, 's');
  house.remove('s');
  await house.dispatcher.stored();
  await house.retention.close();
  const next = await house.again();
  expect(next.texts()).not.toContain('what was said');
  expect(files.map((each) => existsSync(each))).toEqual([false, false, false]);
  expect(next.dispatcher.sessionsEver()).toEqual([]);
  const third = await next.again();
  expect([third.codes.isKnown(code), third.claudeIds.all()]).toEqual([true, next.claudeIds.all()]);
  const forgotten = [...third.opened.journal.read(0)].filter(
    ({ event }) => event.type === 'session.forgotten',
  );
  expect(forgotten).toHaveLength(1);
});

test('no other conversation goes on with its Claude session, not even one of the same key', async () => {
  const house = new House(tempDir()).start();
  house.say('s', 'hello');
  const claude = house.dispatcher.session('s')?.claude?.id ?? '';
  expect(house.claudeIds.ownerOf(claude)).toBe('s');
  house.exit('s');
  house.remove('s');
  await gone(house, 'hello');
  expect(house.claudeIds.ownerOf(claude)).toBe('');
  expect((await house.again()).claudeIds.ownerOf(claude)).toBe('');
});

test('a compaction in between carries over what is still to be forgotten, and the archive is cleaned of it', async () => {
  const house = new House(tempDir(), 30).start();
  for (let n = 0; n < 3; n += 1) house.say('other', `text ${n}`);
  house.say('s', 'what was said');
  const leave = house.dispatcher.watch('s', () => {});
  house.exit('s');
  house.remove('s');
  await until('the swap', () => house.opened.journal.origin > 0);
  await house.retention.close();
  leave();
  const next = await house.again();
  await until('the archive is clean', () => next.opened.store.past.length === 0);
  await next.close();
  const archive = readdirSync(next.opened.archive).map((name) => join(next.opened.archive, name));
  expect(archive).toHaveLength(1);
  const { text } = await unpacked(archive[0] ?? '');
  expect([text.includes('text 2'), text.includes('what was said')]).toEqual([true, false]);
  expect(await new House(next.dir).opened.chain.verify([])).toMatchObject({ outcome: 'proven', fault: null });
});

async function unpacked(path: string): Promise<{ text: string }> {
  const { FrameFile } = await import('../../../src/bridge/journal/archive/frame.ts');
  const file = new FrameFile(path);
  let text = '';
  for (let frame = file.next(); frame; frame = file.next()) text += frame.text;
  file.close();
  expect(readFileSync(path).length).toBeGreaterThan(0);
  return { text };
}

const deed = fc.tuple(fc.constantFrom('say', 'say', 'say', 'exit', 'remove', 'again'), fc.nat(2));

test('after a restart everything is as it was, and no code that was used ever comes again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 30, size: 'max' }), async (deeds) => {
      let house = new House(tempDir(), 40).start();
      const codes = new Set<string>();
      for (const [what, who] of deeds) {
        const key = `session-${who}`;
        if (what === 'say') codes.add(house.say(key, `text of ${key}`));
        if (what === 'exit') house.exit(key);
        if (what === 'remove' && house.dispatcher.session(key)?.removed === false) house.remove(key);
        if (what === 'again') house = await house.again(40);
      }
      await house.dispatcher.stored();
      const live = house.dispatcher.sessions();
      const next = await house.again(40);
      expect(next.dispatcher.sessionsEver()).toEqual(live);
      for (const code of codes) expect(next.codes.isKnown(code)).toBe(true);
      await until('the archive is clean', () => next.opened.store.past.length === 0);
      expect(await next.opened.chain.verify([])).toMatchObject({ outcome: 'proven', fault: null });
      await next.close();
    }),
    { numRuns: runs(15) },
  );
}, 60_000);
