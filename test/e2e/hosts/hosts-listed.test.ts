// `ps` and `doctor` say what goes on without a bridge, and which hosts and sessions do not belong together.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home, simulatedClaude } from '../support/program.ts';

const hostProgram = resolve(import.meta.dirname, '../../../dist/host/main.js');

function newHome(): Home {
  const home = new Home();
  onTestFinished(() => home[Symbol.asyncDispose]());
  const answers = {
    hasCompletedOnboarding: true,
    projects: { [home.path]: { hasTrustDialogAccepted: true } },
  };
  writeFileSync(join(home.path, '.claude.json'), JSON.stringify(answers));
  return home;
}

interface Finding {
  name: string;
  status: string;
  message: string;
  suggestion: string | null;
}

async function doctor(home: Home): Promise<{ code: number | undefined; hosts: Finding[] }> {
  const args = ['doctor', '--json', '--state-dir', home.state, '--claude', simulatedClaude];
  // What serves the default port here is no business of this test.
  const { code, stdout } = await home.run(args, { env: { SYNTHESIS_PORT: '0' } });
  const { checks } = JSON.parse(stdout) as { checks: Finding[] };
  return { code, hosts: checks.filter(({ name }) => /host/.test(name)) };
}

/** `ps` where no bridge runs. */
async function absent(home: Home): Promise<string[]> {
  const { code, stderr } = await home.command('ps');
  const json = await home.command('ps', '--json');
  const { error } = JSON.parse(json.stdout) as { error: Record<string, unknown> };
  expect([code, json.code, error]).toEqual([
    6,
    6,
    { code: 'not_running', message: expect.any(String), recoverable: true, suggestion: expect.any(String) },
  ]);
  expect(stderr.trimEnd()).toBe(`${error.message}\n${error.suggestion}`);
  return stderr.trimEnd().split('\n');
}

test('what a killed bridge has left is counted, and no more once a bridge has it or `down` has ended it', async () => {
  const home = newHome();
  const none = 'No Claude Code goes on without a bridge.';
  const start = /Start it with `synthesis up`/;
  expect(await absent(home)).toEqual([
    `No bridge is running for ${home.state}.`,
    expect.stringMatching(start),
  ]);
  expect(await doctor(home)).toMatchObject({ code: 0, hosts: [{ status: 'ok', message: none }] });

  const killed = await home.up();
  for (const session of ['one', 'two']) await killed.ask(session, 'hello');
  await killed.kill();
  expect(await absent(home)).toEqual([
    `No bridge is running for ${home.state} any more.`,
    '2 Claude Codes go on: `synthesis up` takes them over, `synthesis down` ends them.',
  ]);
  expect(await doctor(home)).toMatchObject({
    code: 0,
    hosts: [
      {
        status: 'ok',
        message: expect.stringMatching(/^2 Claude Codes go on: .* The oldest was started .* UTC\.$/),
      },
    ],
  });

  const next = await home.up();
  const ps = await home.command('ps', '--check');
  expect([ps.code, ps.stdout, ps.stderr]).toEqual([
    0,
    expect.stringMatching(/one[\s\S]*two|two[\s\S]*one/),
    '',
  ]);
  expect(await doctor(home)).toEqual({ code: 0, hosts: [] });

  await next.kill();
  expect((await home.command('down')).code).toBe(0);
  expect(await absent(home)).toEqual([
    `No bridge is running for ${home.state} any more.`,
    expect.stringMatching(start),
  ]);
  expect(await doctor(home)).toMatchObject({ code: 0, hosts: [{ status: 'ok', message: none }] });
});

/** A host that no bridge has started. */
async function stranger(home: Home, name: string): Promise<{ child: ChildProcess; dir: string }> {
  const dir = join(home.state, 'sessions', name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const child = spawn(process.execPath, [hostProgram], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const secret = readFileSync(join(home.state, 'secrets/hosts'), 'utf8').trim();
  const socket = join(home.state, 'run', `${name}.sock`);
  child.stdin.end(JSON.stringify({ dir, run: 'r-of-nobody', socket, secret }));
  await until('its file', () => existsSync(join(dir, 'host.json')));
  return { child, dir };
}

test('a host that the bridge has nothing to do with is named, and ended by the next start, or by `prune`', async () => {
  const home = newHome();
  const bridge = await home.up();
  await bridge.ask('one', 'hello');
  const { child } = await stranger(home, '0123456789abcdef');
  const words = `A host (pid ${child.pid}) of a session that nobody knows (0123456789abcdef) is there`;
  const ps = await home.command('ps', '--check');
  expect([ps.code, ps.stderr]).toEqual([7, expect.stringContaining(words)]);
  expect(await doctor(home)).toMatchObject({
    code: 7,
    hosts: [
      {
        name: 'host_without_session',
        status: 'warning',
        message: expect.stringContaining(words),
        suggestion: 'Run `synthesis down`, then `synthesis up`. Conversations are kept.',
      },
    ],
  });
  const ended = once(child, 'exit');
  expect((await home.command('down')).code).toBe(0);
  await home.up();
  await ended;
  expect((await home.command('ps', '--check')).code).toBe(0);

  const other = await stranger(home, '0123456789abcdef');
  const gone = once(other.child, 'exit');
  expect((await home.command('prune', '--yes')).code).toBe(0);
  await gone;
  expect(existsSync(other.dir)).toBe(false);
});
