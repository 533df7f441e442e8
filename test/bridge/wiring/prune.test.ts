// `prune` finds what nothing needs, and nothing else.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionDir } from '../../../src/bridge/claude/launch/session-files.ts';
import { segmentName } from '../../../src/bridge/journal/archive/segment-name.ts';
import { mediaFolder } from '../../../src/bridge/media-store.ts';
import { until } from '../../support/until.ts';
import { tempDir } from '../journal/temp-dir.ts';
import { House } from './house.ts';

function folder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(path, 'file'), 'of a person', { mode: 0o600 });
  return path;
}

const kindsOf = (found: readonly { kind: string; name: string }[]) =>
  found.map(({ kind, name }) => `${kind} ${name}`).sort();

test('a session that was removed and kept is forgotten with its files, also from the archive, others stay', async () => {
  const house = new House(tempDir(), 30).start();
  for (const key of ['kept', 'stays', 'goes']) house.say(key, `text of ${key}`);
  for (let n = 0; n < 3; n += 1) house.say('stays', `more ${n}`);
  const mine = folder(join(house.dir, mediaFolder('kept')));
  const theirs = folder(sessionDir(house.dir, 'stays'));
  house.exit('kept');
  house.remove('kept', true);
  await until('the swap', () => house.opened.journal.origin > 0);
  const { pruner } = house.retention;
  expect(await pruner.look()).toEqual([{ kind: 'session', name: 'kept', bytes: expect.any(Number) }]);
  const { deleted } = await pruner.prune([{ kind: 'session', name: 'kept' }]);
  expect(kindsOf(deleted)).toEqual(['session kept']);
  await until('the archive is clean', () => house.opened.store.past.length === 0);
  expect(await pruner.look()).toEqual([]);
  expect([existsSync(mine), existsSync(theirs)]).toEqual([false, true]);
  expect(await house.opened.chain.verify([])).toMatchObject({
    outcome: 'proven',
    forgotten: expect.any(Number),
  });
});

test('of a key that is used again only the conversation before is pruned', async () => {
  const house = new House(tempDir()).start();
  house.say('s', 'the first one');
  house.remove('s', true);
  house.say('s', 'the second one');
  await house.dispatcher.stored();
  const before = house.dispatcher.session('s');
  await house.retention.pruner.prune(await house.retention.pruner.look());
  expect([house.texts().includes('the first one'), house.texts().includes('the second one')]).toEqual([
    false,
    true,
  ]);
  expect(house.dispatcher.session('s')).toEqual(before);
  expect((await house.again()).dispatcher.session('s')).toMatchObject({
    turns: [{ text: 'the second one' }],
  });
});

test('copies of damaged files, folders of nobody and files of the archive that join nothing are found', async () => {
  const house = new House(tempDir(), 30).start();
  for (let n = 0; n < 4; n += 1) house.say('s', `text ${n}`);
  await until('the swap', () => house.opened.journal.origin > 0);
  const { archive } = house.opened;
  const strange = segmentName({ first: 3, last: 5, newest: 0 });
  const ahead = segmentName({ first: 9_000, last: 9_001, newest: 0 });
  for (const name of [strange, ahead]) writeFileSync(join(archive, name), 'x', { mode: 0o600 });
  for (const name of ['journal.db.corrupt-2026', 'journal.db.corrupt-2026-wal', 'journal.db.mine'])
    writeFileSync(join(house.dir, name), 'xx', { mode: 0o600 });
  folder(join(house.dir, 'media', '0123456789abcdef'));
  folder(join(house.dir, 'memory', '0123456789abcdef'));
  folder(join(house.dir, 'media', 'of a person'));
  folder(sessionDir(house.dir, 's'));
  const { pruner } = house.retention;
  const found = await pruner.look();
  expect(kindsOf(found)).toEqual([
    'damaged journal.db.corrupt-2026',
    'damaged journal.db.corrupt-2026-wal',
    'folder media/0123456789abcdef',
    'folder memory/0123456789abcdef',
    `segment archive/${strange}`,
  ]);
  // What was not listed stays, whatever is asked for.
  const asked = [...found, { kind: 'damaged', name: 'journal.db.mine' }, { kind: 'damaged', name: '../x' }];
  const { deleted } = await pruner.prune(asked as typeof found);
  expect(kindsOf(deleted)).toEqual(kindsOf(found));
  expect(await pruner.look()).toEqual([]);
  for (const name of ['journal.db.mine', 'media/of a person', `archive/${ahead}`])
    expect([name, existsSync(join(house.dir, name))]).toEqual([name, true]);
});
