// A journal that has grown for long, under a bridge at work: it is archived, and nobody misses anything.
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillJournal } from '../../../bench/subject/fill-journal.ts';
import type { JournalStats } from '../../../src/domain/views/journal.ts';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

const linesIn = (text: string) => text.split('\n').filter((line) => line !== '');

test('a long journal goes to the archive, and conversations, logs, audit and the next start go on', async () => {
  await using home = new Home();
  home.configure({ journal: { rows: 1_000 } });
  await fillJournal(home.state, 2_500);
  const bridge = await home.up();
  expect(await bridge.ask('work', 'hello')).toContain('You said: [user] hello');
  const stats = async () =>
    JSON.parse((await home.command('journal', 'stats', '--json')).stdout) as JournalStats;
  const { archive, rows, first } = await until('the archive', async () => {
    const found = await stats();
    return found.archive.segments > 0 ? found : undefined;
  });
  expect(archive).toMatchObject({ segments: 1, first: 1, rows: first - 1 });
  expect(rows).toBeLessThan(500);

  const logs = await home.command('logs');
  expect(logs.stderr).toContain(`Rows up to ${first - 1} are in the archive: \`synthesis journal export\``);
  expect(linesIn(logs.stdout)[0]).toContain(`up to row ${first - 1}`);
  const tail = await home.command('logs', '--tail', '2', '--json');
  expect(tail.stderr).toBe('');
  const seqs = linesIn(tail.stdout).map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(seqs).toEqual([expect.any(Number), (seqs[0] ?? 0) + 1]);
  expect(
    (await home.command('audit', 'verify')).stdout + (await home.command('journal', 'verify')).stderr,
  ).toContain('Proven');

  await bridge.kill();
  const left = await home.command('logs');
  expect(left.stderr).toContain(`Rows up to ${first - 1} are in the archive: \`synthesis journal export\``);
  expect(linesIn(left.stdout).slice(0, 2)).toEqual(linesIn(logs.stdout).slice(0, 2));
  expect((await home.command('logs', '--since', '2999-01-01')).stderr).not.toContain('archive');
  const next = await home.up();
  expect(JSON.stringify(next.at)).not.toMatch(/journal|gone/);
  expect(await next.ask('work', 'are you there?')).toContain('I remember 1 earlier message');
  // Of the archive, of what was swapped, and of what came since: each row once.
  for (const running of [true, false]) {
    if (!running) await next.end();
    const { stdout, code } = await home.command('journal', 'export');
    const all = linesIn(stdout).map((line) => (JSON.parse(line) as { seq: number }).seq);
    expect([running, code, all.length > 2_500]).toEqual([running, 0, true]);
    expect(all.findIndex((seq, index) => seq !== index + 1)).toBe(-1);
  }

  const [file = ''] = readdirSync(join(home.state, 'archive'));
  truncateSync(join(home.state, 'archive', file), 5_000);
  for (const running of [false, true]) {
    if (running) await home.up();
    const { stderr, code } = await home.command('journal', 'export');
    expect([running, code]).toEqual([running, 1]);
    expect(stderr).toMatch(
      /^Segment 1-\d+ is damaged: .*\.\nPut the file \d+-\d+-\w+\.zst of a backup in its place\.$/,
    );
  }
});
