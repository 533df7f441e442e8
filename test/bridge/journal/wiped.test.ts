// What is forgotten stands in no byte of the database and its log: each is wiped in its own way.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type OpenedJournal, openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { forget } from './forgetting.ts';
import { delta } from './sample-events.ts';
import { theKey } from './sealed-journal.ts';
import { tempDir } from './temp-dir.ts';

const secret = 'the code of the safe is 4711';
/** Longer than a tombstone, which takes the place of a part of it: the rest of the bytes become free. */
const long = secret.repeat(40);

/** A journal in which a conversation said it, between others that stay. */
async function said(): Promise<{ dir: string; opened: OpenedJournal }> {
  const dir = tempDir();
  const opened = openJournal({ dir, key: theKey });
  onTestFinished(() => opened.journal.close());
  for (const [session, text] of [
    ['stays', 'hello'],
    ['goes', long],
    ['stays', 'hello again'],
  ] as const) {
    opened.journal.append(session, [delta(text)]);
    await opened.journal.durable(opened.journal.last);
  }
  return { dir, opened };
}

const holds = (dir: string, file: string): boolean => readFileSync(join(dir, file)).includes(secret);

/** Forgets it, and waits until the journal has tidied behind that. */
async function forgotten({ journal, store }: OpenedJournal): Promise<void> {
  await forget({ journal, store }, 'goes');
  await journal.durable(journal.last);
  await journal.between(() => {});
}

test('the log of the database is zeroed to its end', async () => {
  const { dir, opened } = await said();
  expect(holds(dir, 'journal.db-wal')).toBe(true);
  await forgotten(opened);
  expect(holds(dir, 'journal.db-wal')).toBe(false);
});

test('what a row held is overwritten in its page, without the database being written anew', async () => {
  const { dir, opened } = await said();
  // It gets there when the log does.
  await opened.journal.between(() => opened.store.scrub());
  opened.journal.append('stays', [delta('more')]);
  await opened.journal.durable(opened.journal.last);
  await opened.journal.between(() => {});
  expect(holds(dir, 'journal.db')).toBe(true);
  await forgotten(opened);
  expect(holds(dir, 'journal.db')).toBe(false);
});
