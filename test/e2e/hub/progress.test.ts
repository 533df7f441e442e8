// Long tool work in an answer: the built program with the simulated Claude Code, by the configuration of the conversation.
import { expect, test } from 'vitest';
import { Home } from '../support/program.ts';

test('a profile that wants it says what took long; the answer that is kept, and other conversations, do not', async () => {
  await using home = new Home();
  home.configure({
    permissionMode: 'bypassPermissions',
    profiles: [{ match: 'chat:*', progress: 'brief' }],
  });
  const bridge = await home.up();
  const wish = '[[bash:sleep 11; echo slept]]';
  const [told, plain] = await Promise.all([bridge.ask('chat:one', wish), bridge.ask('other:one', wish)]);
  const line = /^_\(ran Bash "Run a command", 1\d s\)_\n\n/;
  expect(told).toMatch(line);
  expect(plain).not.toMatch(/ran Bash|running/);
  expect(plain).toContain('slept');
  expect(told.replace(line, '')).toBe(plain);
  const { turns } = JSON.parse((await home.command('inspect', 'chat:one', '--json')).stdout) as {
    turns: { answer: string }[];
  };
  expect(turns.at(-1)?.answer.trimEnd()).toBe(plain.trimEnd());
});
