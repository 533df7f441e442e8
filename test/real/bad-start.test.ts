// What keeps a real Claude Code from working reaches the person in the chat in words, and nothing is decided for them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Bridge, stateDirOf } from './support/bridge.ts';
import { answerFirstRun, claudeEnv } from './support/claude-home.ts';
import { isolatedHome } from './support/isolated-home.ts';
import { claudePath } from './support/peers.ts';
import { World } from './support/world.ts';

test('an untrusted folder is named to the chat, and the question about it stays unanswered', async () => {
  await using world = await World.start('untrusted', { trusted: false });

  const words = /^⚠️ Claude Code has not been told to trust its working folder \(`[^`]*`\)\.\n\n/;
  expect(await world.bridge.ask('alice', 'hello')).toMatch(words);
  expect(world.api.turns).toEqual([]);
  const state = JSON.parse(await readFile(join(world.home.path, '.claude.json'), 'utf8'));
  expect(state.projects?.[world.cwd]?.hasTrustDialogAccepted ?? false).toBe(false);
});

test('after the person has trusted the folder, the next message is answered', async () => {
  await using world = await World.start('trusted-later', { trusted: false });
  await world.bridge.ask('alice', 'hello');
  await answerFirstRun(world.home.path, [world.cwd]);

  expect(await world.bridge.ask('alice', 'hello again')).toContain('hello again');
});

test('without a sign-in the chat is told to sign in', async () => {
  await using world = await World.start('signed-out', { without: ['ANTHROPIC_AUTH_TOKEN'] });

  expect(await world.bridge.ask('alice', 'hello')).toMatch(/signed? ?in|log(ged)? ?in/i);
  expect(world.api.turns).toEqual([]);
});

test('on a first run the question of the onboarding is not answered for the person', async () => {
  await using world = await World.start('first-run');
  await writeFile(join(world.home.path, '.claude.json'), '{}');

  expect(await world.bridge.ask('alice', 'hello')).toMatch(/^⚠️ Claude Code is not signed in\.\n\n/);
  expect(world.api.turns).toEqual([]);
  await expect(world.bridge.command('doctor')).rejects.toMatchObject({
    stdout: expect.stringMatching(/^warn +first-run +Claude Code was never set up for this user\./m),
  });
});

test('a key that the model refuses is named as such, without an HTTP error', async () => {
  await using world = await World.start('refused-key');
  world.api.on('hello', (answer) => answer.fail(401, 'authentication_error', 'invalid bearer token'));

  expect(await world.bridge.ask('alice', 'hello')).toMatch(/sign|auth|credential/i);
});

test('a Claude Code that is too old is refused with its version', async () => {
  await using home = await isolatedHome('too-old');
  const cwd = await home.directory('work/project');
  await answerFirstRun(home.path, [cwd]);
  // The real program, but it says of itself what a release of last year said.
  const old = join(home.path, 'old-claude');
  const lines = [
    '#!/bin/sh',
    '[ "$1" = --version ] && echo "1.0.20 (Claude Code)" && exit 0',
    `exec '${claudePath()}' "$@"`,
  ];
  await writeFile(old, `${lines.join('\n')}\n`, { mode: 0o755 });
  const options = {
    env: claudeEnv(home.path, 'http://127.0.0.1:9'),
    cwd,
    stateDir: stateDirOf(home.path),
    claude: old,
  };
  await using bridge = await Bridge.up(options);

  expect(await bridge.ask('alice', 'hello')).toContain('1.0.20');
});

test('a Claude Code that is not there is named by its path', async () => {
  await using world = await World.start('missing', { claude: '/nowhere/claude' });

  expect(await world.bridge.ask('alice', 'hello')).toContain('/nowhere/claude');
});

test('a user who has switched hooks off is told so in the chat, and by doctor with the file', async () => {
  await using world = await World.start('no-hooks');
  const config = await world.home.directory('.config/synthesis');
  await writeFile(
    join(config, 'config.json'),
    JSON.stringify({ cwd: world.cwd, timeouts: { startMs: 12_000 } }),
  );
  const settings = join(await world.home.directory('.claude'), 'settings.json');
  await writeFile(settings, JSON.stringify({ disableAllHooks: true }));
  await world.crash();

  expect(await world.bridge.ask('alice', 'hello')).toContain(`disableAllHooks in ${settings}`);
  expect(world.api.turns).toEqual([]);
  await expect(world.bridge.command('doctor', '--claude', claudePath())).rejects.toMatchObject({
    exitCode: 7,
    stdout: expect.stringContaining(`\`disableAllHooks\` in ${settings}`),
  });
});
