import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileParams } from '../../../../src/bridge/openclaw/gateway/reply-files.ts';
import type { ToolFailure } from '../../../../src/domain/tools/tool-envelope.ts';
import { fifo } from '../../../support/planted.ts';

let home: string;
let state: string;
let neverSent: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'reply-'));
  state = join(home, '.local/state/synthesis');
  for (const folder of [join(state, 'media'), join(home, '.claude'), join(home, 'work')])
    mkdirSync(folder, { recursive: true });
  for (const file of [
    'config.json',
    '.claude/history.jsonl',
    'work/report.txt',
    '.local/state/synthesis/token',
  ])
    writeFileSync(join(home, file), 'text');
  writeFileSync(join(state, 'media/picture.png'), 'picture');
  symlinkSync(state, join(home, 'work/folder'));
  symlinkSync(join(state, 'token'), join(home, 'work/link'));
  linkSync(join(state, 'token'), join(home, 'work/second-name'));
  // One of them is named through a link, one is not there.
  neverSent = [join(home, 'work/folder'), join(home, 'config.json'), join(home, '.claude'), '/nowhere/token'];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** @returns `sent`, or why not */
const sent = (path: string, cwd = home) =>
  fileParams(path, cwd, neverSent).then(
    () => 'sent',
    (error: ToolFailure) => error.message,
  );

test.each([
  '.local/state/synthesis/token',
  'work/../.local/state/synthesis/token',
  '.local/state/synthesis/media/picture.png',
  'work/folder/token',
  'work/link',
  'config.json',
  '.claude/history.jsonl',
])(
  '%s is not sent from a home that is the working folder: it is the bridge’s or Claude Code’s own',
  async (path) => {
    for (const spelled of [path, join(home, path), `./${path}`])
      expect(await sent(spelled)).toBe(
        `${spelled} was not sent: it belongs to the bridge or to Claude Code itself.`,
      );
  },
);

test('nothing is sent from a working folder inside of the state folder', async () => {
  for (const path of ['token', 'media/picture.png', '../synthesis/token'])
    expect(await sent(path, state)).toContain('belongs to the bridge');
});

test('a file with a second name is not sent, whatever it is; other files are', async () => {
  expect(await sent('work/second-name')).toContain('a hard link');
  expect(await sent('work/report.txt')).toBe('sent');
});

test('a FIFO is refused, not waited for', async () => {
  fifo(join(home, 'work/fifo'));
  expect(await sent('work/fifo')).toContain('it is no file');
});
