// The package where npm put it: what a new user has, and nothing of this checkout.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InstalledPackage } from '../../support/installed-package.ts';
import { Pty } from '../../support/pty.ts';
import { Home } from '../support/program.ts';

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await InstalledPackage.install();
}, 90_000);
afterAll(() => installed?.[Symbol.asyncDispose]());

const { version } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8'),
) as {
  version: string;
};
const megabyte = 1024 * 1024;

test('npm installs at most 10 packages of 11 MB in all, with the manual beside the program', () => {
  expect(installed.packages).toContain('synthesis-agent');
  expect(installed.packages.length).toBeLessThanOrEqual(10);
  // 2.3 of these are what asks the kernel who calls.
  expect(installed.bytes).toBeLessThanOrEqual(11 * megabyte);
  expect(existsSync(join(installed.prefix, 'share/man/man1/synthesis.1'))).toBe(true);
});

test('npm warns of nothing when it installs the package', () => {
  expect(installed.warnings).toBe('');
});

test('it says its version', async () => {
  await using home = new Home(installed.program);
  expect(await home.run(['--version'])).toMatchObject({ code: 0, stdout: version, stderr: '' });
});

test('an old Node gets one clear sentence', async () => {
  const old = join(installed.prefix, 'old.cjs');
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.1.0' });");
  const ran = await execa(process.execPath, ['--require', old, installed.program, 'ps'], { reject: false });
  expect([ran.exitCode, ran.stdout, ran.stderr.split('\n').length]).toEqual([1, '', 1]);
  expect(ran.stderr).toContain('needs Node.js 24 or newer');
});

test('the demo plays the whole loop', async () => {
  await using home = new Home(installed.program);
  const { code, stdout, stderr } = await home.run(['demo']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('That was the whole loop.');
});

test('a bridge starts, answers, is examined, looked at and stopped', async () => {
  await using home = new Home(installed.program);
  const claude = join(installed.prefix, 'lib/node_modules/synthesis-agent/dist/demo/claude.js');
  const bridge = await home.up({ args: ['--claude', claude, '--delivery', 'terminal'] });
  expect(await bridge.ask('agent:main:main', 'hello')).toContain('You said: [user] hello');
  const findings = await home.command('doctor', '--json', '--claude', claude);
  expect(findings.stderr).toBe('');
  expect(JSON.parse(findings.stdout)).toMatchObject({ checks: expect.any(Array) });
  expect((await home.command('ps')).stdout).toContain('agent:main:main');

  const options = { cwd: home.cwd, env: home.env({ TERM: 'xterm-256color' }), cols: 80, rows: 24 };
  await using screen = new Pty(home.argv('attach', '--state-dir', home.state), options);
  await screen.shows('You said: [user] hello');
  screen.type('q');
  expect(await screen.exited()).toBe(0);

  expect((await home.command('down')).code).toBe(0);
});

test('the guides are where the program looks for them', async () => {
  await using home = new Home(installed.program);
  const { code, stdout } = await home.run(['docs', 'guides/restart.md']);
  expect(code).toBe(0);
  expect(stdout).toContain('# Restarts, upgrades, crashes');
});
