import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { doubtsOf, findProgram } from '../../../src/cli/commands/service/doubts.ts';
import { kindFor, type ServiceKind } from '../../../src/cli/commands/service/kind.ts';
import type { ServiceSettings } from '../../../src/cli/commands/service/settings.ts';
import { version } from '../../../src/cli/version.ts';

function machine() {
  const home = mkdtempSync(join(tmpdir(), 'doubts-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const [claude, program] = [join(home, 'claude'), join(home, 'synthesis')];
  for (const file of [claude, program]) writeFileSync(file, '');
  chmodSync(claude, 0o755);
  return { version, node: process.execPath, program, claude, home, cwd: home, stateDir: home, env: {} };
}

const kinds = [kindFor('linux'), kindFor('darwin')];

const doubts = (kind: ServiceKind, settings: ServiceSettings) =>
  doubtsOf(kind, { text: kind.text(settings), settings });

test.each(kinds)('a $noun of this release whose programs are there fits', (kind) => {
  expect(doubts(kind, machine())).toEqual([]);
});

test.each(kinds)(
  'a $noun of another release, changed by hand, or whose programs are gone says so',
  (kind) => {
    const settings = machine();
    const gone = join(settings.home, 'gone');
    expect(doubts(kind, { ...settings, version: '0.0.1' })).toEqual([
      expect.stringContaining('release 0.0.1'),
    ]);
    expect(doubtsOf(kind, { text: `${kind.text(settings)}\n`, settings })).toEqual([
      expect.stringContaining('by hand'),
    ]);
    expect(doubts(kind, { ...settings, node: gone, claude: gone, cwd: gone })).toHaveLength(3);
    expect(doubts(kind, { ...settings, claude: null })).toEqual([expect.stringContaining('not found')]);
    expect(doubtsOf(kind, { text: '[Service]', settings: undefined })).toHaveLength(1);
  },
);

test('a program is found as a shell finds it, and only if it can be run', () => {
  const { home, claude } = machine();
  const other = join(home, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'claude'), '');
  expect(findProgram('claude', `${other}::${home}`)).toBe(claude);
  expect(findProgram('claude', '')).toBeUndefined();
  expect(findProgram(claude, '')).toBe(claude);
});
