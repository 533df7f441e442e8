// What `vault doctor` makes of what it sees.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CliError } from '../../../src/cli/cli-error.ts';
import {
  bridgeCheck,
  indexChecks,
  memoriesCheck,
  notesChecks,
} from '../../../src/cli/commands/vault/index-state/checks.ts';
import type { IndexLook } from '../../../src/cli/commands/vault/index-state/index-look.ts';
import { memoriesDoubt } from '../../../src/cli/commands/vault/setup/memories-doubt.ts';
import { VaultSettings } from '../../../src/protocol/settings/vault.ts';
import { walkNotes } from '../../../src/vault/files/walk.ts';
import { asNobody } from '../../support/as-nobody.ts';
import { viewOf } from '../tools/world.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'checks-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

const settings = (more: object = {}): VaultSettings => VaultSettings.parse({ path, ...more });

const lookOf = (about: Partial<IndexLook>): IndexLook => ({
  kind: 'open',
  damage: null,
  behind: 0,
  bytes: 2_000_000,
  changed: null,
  ...about,
});

test.each<[about: Partial<IndexLook>, statuses: string[], says: string]>([
  [{}, ['ok', 'ok'], 'It holds every note as it is.'],
  [{ behind: 1_200 }, ['ok', 'warning'], 'It lacks 1,200 changes.'],
  [{ behind: 1 }, ['ok', 'ok'], 'It lacks one change, which the next search takes over.'],
  [{ behind: null }, ['ok'], 'The index is what was written, 1.9 MB.'],
  [{ kind: 'none' }, ['warning'], 'There is no index yet.'],
  [{ kind: 'unsealed' }, ['warning'], 'has not come to an end'],
  [{ kind: 'damaged', damage: 'its file is gone' }, ['failed'], 'The index is damaged: its file is gone.'],
])('an index that is %j', (about, statuses, says) => {
  const checks = indexChecks(lookOf(about), 'a:*');
  expect(checks.map(({ status }) => status)).toEqual(statuses);
  expect(checks.map(({ message }) => message).join('\n')).toContain(says);
  for (const { status, suggestion } of checks)
    if (status !== 'ok') expect(suggestion).toContain("synthesis vault index --profile 'a:*'");
});

test('notes are counted, with those that are left aside; a folder without any is a warning', () => {
  const none = notesChecks(settings(), walkNotes(path, settings()), undefined);
  expect(none.map(({ status }) => status)).toEqual(['ok', 'warning']);
  writeFileSync(join(path, 'a.md'), '');
  symlinkSync('a.md', join(path, 'b.md'));
  const [, one] = notesChecks(settings(), walkNotes(path, settings()), undefined);
  expect(one).toMatchObject({ status: 'ok', message: 'One note, 1 left aside (synthesis vault status)' });
});

describe('the folder of memories', () => {
  const check = async (more: object = {}) =>
    memoriesCheck(settings(more), await memoriesDoubt(settings(more)));

  test('need not be there', async () => {
    expect(await check()).toMatchObject({ status: 'ok', message: expect.stringContaining('first memory') });
    mkdirSync(join(path, 'Memories'));
    expect(await check()).toMatchObject({ status: 'ok', message: expect.stringContaining('written to') });
  });

  test('has to be a folder, inside, and not hidden', async () => {
    writeFileSync(join(path, 'file'), '');
    symlinkSync(tmpdir(), join(path, 'link'));
    for (const memories of ['file', 'link', '../x', '.obsidian'])
      expect(await check({ memories }), memories).toMatchObject({ status: 'failed' });
  });

  test('should be one in which notes are found', async () => {
    expect(await check({ exclude: ['Memories/**'] })).toMatchObject({ status: 'warning' });
    expect(await check({ include: ['*.md'] })).toMatchObject({ status: 'warning' });
  });

  test('has to be one that may be written to', () => {
    chmodSync(path, 0o555);
    const file = join(import.meta.dirname, '../../../src/cli/commands/vault/index-state/checks.ts');
    const said = asNobody(file, 'memoriesCheck', settings(), undefined);
    chmodSync(path, 0o700);
    expect(said).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('must not be written to'),
    });
  });
});

test('a bridge may not run, have it, have it not, or not answer', () => {
  const error = new CliError('timeout', 'timeout', 'No answer.', 'Wait.');
  const statuses = [
    bridgeCheck({ kind: 'none' }),
    bridgeCheck({ kind: 'with', view: viewOf('obsidian_rag') }),
    bridgeCheck({ kind: 'with', view: viewOf('obsidian_rag', { status: 'degraded', reason: 'why' }) }),
    bridgeCheck({ kind: 'with', view: viewOf('obsidian_rag', { status: 'unavailable' }) }),
    bridgeCheck({ kind: 'without' }),
    bridgeCheck({ kind: 'silent', error }),
  ].map(({ status }) => status);
  expect(statuses).toEqual(['ok', 'ok', 'warning', 'failed', 'warning', 'failed']);
});
