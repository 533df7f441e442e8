// What the Claude Code of a utility call is started with and told: a stranger's text must find no tool, no file and no
// command in it.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import type { OneShotPrompt } from '../../../src/bridge/app/ports.ts';
import { OneShots } from '../../../src/bridge/claude/one-shots.ts';
import { PreflightCheck } from '../../../src/bridge/claude/process/preflight.ts';

interface Started {
  args: string[];
  env: Record<string, string>;
  content: unknown;
}

/** In the place of Claude Code: writes down what it got, and answers. */
const program = `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (args[0] === '--version') {
  console.log('2.1.332 (Claude Code)');
} else {
  const { message } = JSON.parse(readFileSync(0, 'utf8'));
  writeFileSync(__dirname + '/started.json', JSON.stringify({ args, env: process.env, content: message.content }));
  console.log(JSON.stringify({ type: 'result', is_error: false, result: 'done' }));
}
`;

/** Asks, and tells what the program was started with. */
async function started(content: OneShotPrompt['content']): Promise<Started> {
  const dir = mkdtempSync(join(tmpdir(), 'one-shot-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const claude = join(dir, 'claude');
  writeFileSync(claude, program);
  chmodSync(claude, 0o700);
  const env = { PATH: process.env.PATH, CLAUDE_CODE_DISABLE_ATTACHMENTS: '0' };
  const preflight = new PreflightCheck({ claudeCommand: [claude], env });
  const oneShots = new OneShots({ clock: systemClock, log: silentLog, preflight, stateDir: dir, env });
  const answer = await oneShots.ask({ system: 's', content }, new AbortController().signal);
  await oneShots.close();
  expect(answer).toEqual({ ok: true, text: 'done' });
  return JSON.parse(readFileSync(join(dir, 'started.json'), 'utf8')) as Started;
}

test('it has no tools, no servers, no commands and no session, and asks nobody', async () => {
  const { args } = await started([{ type: 'text', text: 'hi' }]);
  expect(args[args.indexOf('--tools') + 1]).toBe('');
  expect(args[args.indexOf('--permission-mode') + 1]).toBe('dontAsk');
  for (const flag of [
    '--tools',
    '--strict-mcp-config',
    '--disable-slash-commands',
    '--no-session-persistence',
  ])
    expect(args).toContain(flag);
});

test('a path in its text attaches no file, and no memory of the user is read', async () => {
  const { env } = await started([{ type: 'text', text: 'see @/etc/passwd' }]);
  expect(env).toMatchObject({ CLAUDE_CODE_DISABLE_ATTACHMENTS: '1', CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' });
});

test.each([
  ['/cost', '\n/cost'],
  ['//x', '\n//x'],
  [' /cost', ' /cost'],
  ['a\n/cost', 'a\n/cost'],
])('the text %j is no command of Claude Code', async (text, got) => {
  const { content } = await started([
    { type: 'text', text },
    { type: 'text', text },
  ]);
  expect(content).toEqual([
    { type: 'text', text: got },
    { type: 'text', text: got },
  ]);
});
