// What keeps commands out of Claude Code's sandbox, found before it is started.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ClaudeSettings, claudeSettings } from '../../../src/bridge/claude/launch/claude-settings.ts';
import { sandboxFault, sandboxGap } from '../../../src/bridge/claude/sandbox/sandbox-fault.ts';
import { tempDir } from '../journal/temp-dir.ts';

/** A PATH with these programs and no other. */
function programs(given: Record<string, string>): string {
  const dir = tempDir();
  for (const [name, text] of Object.entries(given)) {
    writeFileSync(join(dir, name), `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  }
  for (const name of ['sh', 'true']) symlinkSync(`/bin/${name}`, join(dir, name));
  return dir;
}

const words = async (given: Record<string, string>, settings: ClaudeSettings[] = []) => {
  const fault = await sandboxFault({ PATH: programs(given) }, settings, [], 'linux');
  return fault && `${fault.words} ${fault.remedy}`;
};

/** What the probe is to be: everything readable, and one program. */
const bwrap = '[ "$*" = "--ro-bind / / true" ]';

test('both programs have to be there, and a sandbox to be possible', async () => {
  expect(await words({ bwrap, socat: '' })).toBeUndefined();
  expect(await words({ socat: '' })).toMatch(/needs bubblewrap \(`bwrap`\), not found.*apt-get install/);
  expect(await words({ bwrap })).toMatch(/needs socat, not found/);
  expect(await words({})).toMatch(/needs bubblewrap \(`bwrap`\) and socat/);
  expect(await words({ bwrap: 'exit 1', socat: '' })).toMatch(
    /cannot make a sandbox on this machine: .*bwrap ended with exit code 1\. Allow user namespaces/,
  );
});

test('where Claude Code has none it is said', async () => {
  expect(await sandboxFault({}, [], [], 'win32')).toMatchObject({
    words: expect.stringContaining('no sandbox'),
  });
});

const gap = (level: ClaudeSettings['level'], sandbox: ClaudeSettings['sandbox']) =>
  sandboxGap([{ path: '/settings.json', level, sandbox }])?.words;

test.each<[string, ClaudeSettings['level'], ClaudeSettings['sandbox'], RegExp]>([
  ['commands that the user takes out', 'user', { excludedCommands: ['docker *'] }, /excludedCommands/],
  ['those of an organisation', 'managed', { excludedCommands: ['docker *'] }, /excludedCommands/],
  ['an organisation that has none', 'managed', { enabled: false }, /switches the sandbox off/],
  ['one that opens the files', 'managed', { filesystem: { disabled: true } }, /filesystem\.disabled/],
])('%s: commands run outside', (_, level, sandbox, found) => {
  expect(gap(level, sandbox)).toMatch(found);
});

test.each<[string, ClaudeSettings['level'], ClaudeSettings['sandbox']]>([
  ['the folder, which has no say', 'folder', { excludedCommands: ['x'], enabled: false }],
  ['the user, whom the session overrides', 'user', { enabled: false, filesystem: { disabled: true } }],
  ['an empty list', 'user', { excludedCommands: [] }],
])('not by %s', (_, level, sandbox) => {
  expect(gap(level, sandbox)).toBeUndefined();
});

test('it is read from the files of Claude Code', async () => {
  const home = tempDir();
  mkdirSync(join(home, '.claude'));
  writeFileSync(
    join(home, '.claude/settings.json'),
    JSON.stringify({ sandbox: { excludedCommands: ['git *'] } }),
  );
  const settings = await claudeSettings({ HOME: home }, [home], undefined);
  expect(await words({ bwrap, socat: '' }, settings)).toContain(join(home, '.claude/settings.json'));
});
