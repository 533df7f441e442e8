import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { JournalLockedError } from '../../../src/bridge/journal/journal-error.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { places } from '../../bridge/journal/damage.ts';
import { killAndCheck, linesOf, startAppender } from '../../bridge/journal/kill.ts';
import { queued } from '../../bridge/journal/sample-events.ts';
import { tempDir } from '../../bridge/journal/temp-dir.ts';

test('no acknowledged row is lost when the process is killed at any of 12 points', async () => {
  await killAndCheck(tempDir(), [0, 1, 2, 5, 17, 40, 99, 3, 150, 301, 7, 64]);
});

// One of 50 kills is read from its first row a hundred times.
test.each([1, 2, 3, 4, 5])('no acknowledged row is lost at any of 10 kills of journal %i', async (seed) => {
  await killAndCheck(tempDir(), places(20260101 + seed, 400, 10));
});

test('while another process has the journal, opening is refused; once that is killed it works at once', async () => {
  const dir = tempDir();
  const child = startAppender(dir, 1);
  const exited = once(child, 'exit');
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  for await (const _line of linesOf(child)) break;
  expect(() => openJournal({ dir })).toThrow(JournalLockedError);
  expect(() => openJournal({ dir })).toThrow('already running');
  child.kill('SIGKILL');
  await exited;
  const { journal, recovered } = openJournal({ dir });
  expect(recovered).toBeUndefined();
  await journal.close();
});

test('the same process cannot open the journal twice either, and the first one goes on', async () => {
  const dir = tempDir();
  const { journal } = openJournal({ dir });
  expect(() => openJournal({ dir })).toThrow(JournalLockedError);
  journal.append('a', [queued('1')]);
  await journal.durable(1);
  await journal.close();
  const again = openJournal({ dir }).journal;
  expect(again.last).toBe(1);
  await again.close();
});
