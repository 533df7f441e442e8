// `rm` leaves no text of a conversation in the bridge's own files, and no way to it through any command.
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillJournal } from '../../../bench/subject/fill-journal.ts';
import { FrameFile } from '../../../src/bridge/journal/archive/frame.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

const marker = 'heliotrope-4711';
const answered = `you said: ${marker}`;

/** The files of the state folder that hold it, also where they are not in use, or packed. */
function holders(home: Home): string[] {
  const names = readdirSync(home.state, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => {
    const path = join(home.state, name);
    // A part of a segment may have become one by now.
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    return isFile && !path.endsWith('.part') && textOf(path).includes(marker);
  });
}

function textOf(path: string): string {
  if (!path.endsWith('.zst')) return readFileSync(path).toString('latin1');
  const file = new FrameFile(path);
  let text = '';
  for (let frame = file.next(); frame; frame = file.next()) text += frame.text;
  file.close();
  return text;
}

/** A picture whose bytes say the marker, and a message with it. */
async function tell(bridge: RunningBridge, session: string): Promise<void> {
  const picture = Buffer.from(`\x89PNG\r\n\x1a\n${marker}`, 'latin1').toString('base64');
  await bridge.client(session).chat.completions.create({
    model: 'claude',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: `[[say:${answered}]]` },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
        ],
      },
    ],
  });
}

const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { event: string; session: string });

test('after rm nothing of a conversation is found, in no file and by no command, also after a restart', async () => {
  await using home = new Home();
  let bridge = await home.up();
  await tell(bridge, 'secret');
  await bridge.ask('other', 'something else');
  expect(holders(home)).toEqual(expect.arrayContaining([expect.stringMatching(/journal/)]));
  expect(holders(home).some((name) => name.startsWith('media'))).toBe(true);

  const removed = await home.command('rm', 'secret');
  expect(removed.stdout + removed.stderr).toContain('Removed secret. Its text is deleted.');
  for (const round of ['running', 'restarted']) {
    if (round === 'restarted') {
      await bridge.kill();
      bridge = await home.up();
    }
    await until('no file holds it', () => holders(home).length === 0);
    for (const command of [
      ['logs', '--json'],
      ['journal', 'export'],
      ['audit', '--json'],
      ['ps', '--json'],
    ]) {
      const [name = '', ...args] = command;
      const { stdout, code } = await home.command(name, ...args);
      expect([round, name, code, stdout.includes(marker), stdout.includes('"secret"')]).toEqual([
        round,
        name,
        0,
        false,
        false,
      ]);
    }
    const verified = await home.command('audit', 'verify', '--json');
    expect(JSON.parse(verified.stdout)).toMatchObject({ outcome: 'proven', fault: null });
    expect((await home.command('inspect', 'secret')).code).toBe(4);
  }
  const words = await home.command('audit', 'verify');
  expect(words.stdout + words.stderr).toMatch(/\d+ of them are of sessions that were removed/);
  const audit = await home.command('audit');
  expect(audit.stdout).toMatch(/what a removed session said was deleted by the operator: \d+ rows/);

  expect(await bridge.ask('secret', 'who are you?')).toContain('You said');
  const inspected = JSON.parse((await home.command('inspect', 'secret', '--json')).stdout);
  expect(inspected.turns).toHaveLength(1);
  const logs = rowsOf((await home.command('logs', 'secret', '--json')).stdout);
  expect(logs.filter(({ event }) => event === 'turn.queued')).toHaveLength(1);
  expect(holders(home)).toEqual([]);
});

test('rm takes a conversation out of the archive, too, and says so', async () => {
  await using home = new Home();
  const before = await home.up();
  await tell(before, 'secret');
  await before.ask('other', 'hello');
  await before.end();
  await fillJournal(home.state, 2_500);
  home.configure({ journal: { rows: 1_000 } });
  let bridge = await home.up();
  const archive = join(home.state, 'archive');
  await until(
    'the archive',
    () => existsSync(archive) && readdirSync(archive).some((name) => name.endsWith('.zst')),
  );
  expect(holders(home).some((name) => name.startsWith('archive'))).toBe(true);
  const removed = JSON.parse((await home.command('rm', 'secret', '--json')).stdout);
  expect(removed).toEqual({ removed: true, text: 'deleted', archive: expect.any(Number) });
  await until('no file holds it', () => holders(home).length === 0);
  expect(JSON.parse((await home.command('audit', 'verify', '--json')).stdout)).toMatchObject({
    outcome: 'proven',
  });
  await bridge.kill();
  bridge = await home.up();
  expect(JSON.stringify(bridge.at)).not.toMatch(/journal|gone/);
  expect(await bridge.ask('other', 'are you there?')).toContain('I remember 1 earlier message');
  expect(holders(home)).toEqual([]);
});

test('what a full disk had put aside goes, too', async () => {
  await using home = new Home();
  const first = await home.up();
  await first.ask('other', 'something else');
  await first.end();
  // As an earlier time has left it: behind the end of what holds.
  appendFileSync(join(home.state, 'journal.reserve'), marker);
  const bridge = await home.up();
  await tell(bridge, 'secret');
  await home.command('rm', 'secret');
  await until('no file holds it', () => holders(home).length === 0);
});

test('rm --keep ends the conversation and keeps its text; the key begins anew all the same', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await tell(bridge, 'kept');
  const removed = await home.command('rm', '--keep', 'kept');
  expect(removed.stdout + removed.stderr).toContain('Its text is kept');
  expect((await home.command('journal', 'export')).stdout).toContain(marker);
  expect(await bridge.ask('kept', 'who are you?')).toContain('You said');
  const inspected = await home.command('inspect', 'kept', '--json');
  expect(JSON.parse(inspected.stdout).turns).toHaveLength(1);
  expect(inspected.stdout).not.toContain(marker);

  const asked = await home.command('prune');
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain('nobody is there to be asked. Nothing was deleted.');
  const listed = await home.command('prune', '--dry-run');
  expect(listed.stdout).toMatch(/kept +\d+ kB +text and files of a session that was removed with --keep/);
  expect(holders(home)).not.toEqual([]);
  const pruned = await home.command('prune', '--yes', '--json');
  expect(JSON.parse(pruned.stdout)).toMatchObject({
    items: [{ kind: 'session', name: 'kept' }],
    deleted: true,
  });
  await until('no file holds it', () => holders(home).length === 0);
  expect((await home.command('prune')).stderr).toContain('Nothing is left over.');
  expect(JSON.parse((await home.command('inspect', 'kept', '--json')).stdout).turns).toHaveLength(1);
});
