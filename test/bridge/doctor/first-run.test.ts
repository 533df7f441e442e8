// Whether Claude Code has asked its user what it asks once.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstRun } from '../../../src/bridge/doctor/claude/first-run.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { tempDir } from '../journal/temp-dir.ts';

const unset = {
  name: 'first-run',
  status: 'warning',
  message: 'Claude Code was never set up for this user.',
  suggestion: 'Run `claude` once and answer what it asks.',
};
const trust = { hasTrustDialogAccepted: true };

function look(
  answers: string | object | undefined,
  { env = {}, ...settings }: { env?: object; cwd: string; profiles?: object[] },
) {
  const home = tempDir();
  const text = typeof answers === 'object' ? JSON.stringify(answers) : answers;
  if (text !== undefined) writeFileSync(join(home, '.claude.json'), text);
  const options = {
    config: Config.parse(settings),
    stateDir: join(home, 'state'),
    openclaw: 'openclaw',
    env: { HOME: home, ...env },
    running: undefined,
  };
  return firstRun(options, new AbortController().signal);
}

test.each([undefined, '', '{', '[]', {}, { hasCompletedOnboarding: 'yes' }])(
  '%j: never set up',
  async (answers) => {
    expect(await look(answers, { cwd: '/work' })).toEqual([unset]);
  },
);

test('each folder that sessions work in is trusted itself, or one above it', async () => {
  const strange = tempDir();
  const profiles = [
    { match: 'a', cwd: '/elsewhere/b' },
    { match: 'b', cwd: strange },
    // There is nothing there to be trusted: that is another finding.
    { match: 'c', cwd: join(strange, 'gone') },
  ];
  const projects = {
    '/work': trust,
    '/elsewhere': trust,
    [strange]: { hasTrustDialogAccepted: false },
    '/': 'broken',
  };
  expect(await look({ hasCompletedOnboarding: true, projects }, { cwd: '/work', profiles })).toEqual([
    {
      name: 'first-run',
      status: 'warning',
      message: `Claude Code does not trust ${strange} yet.`,
      suggestion: `Run \`claude\` in ${strange} once and accept it.`,
    },
  ]);
  const [all] = await look(
    { hasCompletedOnboarding: true, projects: { '/': trust } },
    { cwd: '/work', profiles },
  );
  expect(all?.status).toBe('ok');
});

test('a folder is known by where its links lead, and the answers lie where CLAUDE_CONFIG_DIR says', async () => {
  const dir = tempDir();
  mkdirSync(join(dir, 'real'));
  symlinkSync(join(dir, 'real'), join(dir, 'link'));
  const answers = { hasCompletedOnboarding: true, projects: { [join(dir, 'real')]: trust } };
  expect((await look(answers, { cwd: join(dir, 'link') }))[0]?.status).toBe('ok');
  writeFileSync(join(dir, '.claude.json'), JSON.stringify(answers));
  const env = { CLAUDE_CONFIG_DIR: dir };
  expect((await look(undefined, { cwd: join(dir, 'link'), env }))[0]?.status).toBe('ok');
});
