// The folder that a contained Claude Code has for its own, and what of it counts at the next start.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { privateClaude } from '../../../../src/bridge/claude/contain/private-claude.ts';
import { tempDir } from '../../journal/temp-dir.ts';

function places() {
  const home = tempDir();
  const [dir, folder] = [join(home, 'session'), join(home, '.claude')];
  mkdirSync(dir, { mode: 0o700 });
  mkdirSync(folder, { mode: 0o700 });
  const config = join(home, '.claude.json');
  return { home, dir, user: { folder, config } };
}
const session = { claude: 'id', cwd: '/w/project', resumes: true, sharesMemory: false };
const contentOf = (path: string) => JSON.parse(readFileSync(join(path, '.claude.json'), 'utf8'));

test('it has the user’s own configuration, and of its own only that the folder is trusted', () => {
  const { dir, user } = places();
  const said = { theme: 'dark', projects: { '/other': { hasTrustDialogAccepted: true } } };
  writeFileSync(user.config, JSON.stringify(said));
  const { claude } = privateClaude(dir, user, session);
  expect(contentOf(claude)).toEqual(said);
  const written = {
    theme: 'light',
    mcpServers: { evil: { command: 'evil' } },
    projects: {
      '/w/project': { hasTrustDialogAccepted: true, allowedTools: ['Bash'] },
      '/elsewhere': { hasTrustDialogAccepted: true },
    },
  };
  writeFileSync(join(claude, '.claude.json'), JSON.stringify(written), { mode: 0o600 });
  privateClaude(dir, user, session);
  const trusted = { '/w/project': { hasTrustDialogAccepted: true } };
  expect(contentOf(claude)).toEqual({ ...said, projects: { ...said.projects, ...trusted } });
  expect(JSON.parse(readFileSync(user.config, 'utf8'))).toEqual(said);
});

test('what a resumed conversation may want stays, and nothing else: no settings, and no links', () => {
  const { home, dir, user } = places();
  const { claude } = privateClaude(dir, user, session);
  mkdirSync(join(claude, 'file-history'));
  mkdirSync(join(claude, 'hooks'));
  for (const name of ['history.jsonl', 'settings.json', 'CLAUDE.md', 'hooks/x'])
    writeFileSync(join(claude, name), 'x');
  mkdirSync(join(home, 'precious'));
  writeFileSync(join(home, 'precious/file'), 'mine');
  for (const name of ['tasks', 'projects']) symlinkSync(join(home, 'precious'), join(claude, name));
  privateClaude(dir, user, session);
  expect(readdirSync(claude).sort()).toEqual(['.claude.json', 'file-history', 'history.jsonl']);
  expect(existsSync(join(home, 'precious/file'))).toBe(true);
  // A conversation that begins anew under the same name has nothing of the one before.
  privateClaude(dir, user, { ...session, resumes: false });
  expect(readdirSync(claude)).toEqual(['.claude.json']);
});

test('its transcripts are those of its folder, and of the one in which the conversation began', () => {
  const { dir, user } = places();
  expect(privateClaude(dir, user, session).projects).toEqual(['projects/-w-project']);
  mkdirSync(join(user.folder, 'projects/-w-old'));
  writeFileSync(join(user.folder, 'projects/-w-old/id.jsonl'), '');
  expect(privateClaude(dir, user, session).projects).toEqual(['projects/-w-project', 'projects/-w-old']);
  // Claude Code shortens names that are longer, in a way that is its own.
  const deep = { ...session, claude: 'new', cwd: `/${'d'.repeat(250)}` };
  expect(privateClaude(dir, user, deep).projects).toEqual(['projects']);
});

test('what every Claude Code of the folder is told is closed, unless it is this session’s memory', () => {
  const { dir, user } = places();
  expect(privateClaude(dir, user, session).closed).toEqual(['projects/-w-project/memory']);
  expect(existsSync(join(user.folder, 'projects/-w-project/memory'))).toBe(true);
  expect(privateClaude(dir, user, { ...session, sharesMemory: true }).closed).toEqual([]);
});

test.each(['', '{', '[]', '{"projects":7}'])(
  'a configuration of the user that is %j does no harm',
  (text) => {
    const { dir, user } = places();
    writeFileSync(user.config, text);
    const { claude } = privateClaude(dir, user, session);
    expect(typeof contentOf(claude)).toBe('object');
  },
);
