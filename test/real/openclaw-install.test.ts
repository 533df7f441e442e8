// One command makes the bridge a model of the real OpenClaw, another takes it out again: with the program as npm installs it.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InstalledPackage } from '../support/installed-package.ts';
import { type IsolatedHome, isolatedHome } from './support/isolated-home.ts';
import { openclawPath } from './support/peers.ts';
import { RealOpenClaw } from './support/real-openclaw.ts';
import { SimulatedBridge } from './support/simulated-bridge.ts';

let home: IsolatedHome;
let openclaw: RealOpenClaw;
let bridge: SimulatedBridge;
let installed: InstalledPackage;
beforeAll(async () => {
  installed = await InstalledPackage.install();
  bridge = await SimulatedBridge.start('install-bridge');
  home = await isolatedHome('install-openclaw');
  openclaw = await RealOpenClaw.start(home.path, undefined);
});
afterAll(async () => {
  await openclaw?.[Symbol.asyncDispose]();
  await bridge?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
  await installed?.[Symbol.asyncDispose]();
});

interface Ran {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

/** `synthesis openclaw …` as the user of both would run it. */
async function synthesis(...args: string[]): Promise<Ran> {
  const all = [
    installed.program,
    'openclaw',
    ...args,
    '--state-dir',
    bridge.stateDir,
    '--openclaw',
    openclawPath(),
  ];
  const options = { env: openclaw.env, extendEnv: false, cwd: home.path, reject: false, timeout: 120_000 };
  const { exitCode, stdout, stderr } = await execa(process.execPath, all, options);
  return { code: exitCode, stdout, stderr };
}

/** The configuration without what OpenClaw notes for itself at every write. */
async function configuration(): Promise<Record<string, unknown>> {
  const text = await readFile(join(home.path, '.openclaw/openclaw.json'), 'utf8');
  const { meta: _, ...config } = JSON.parse(text) as Record<string, unknown>;
  return config;
}

/** It waits for OpenClaw's command some thirty times: 2 s each on an idle machine, ten times that on a busy one. */
const patience = 400_000;

test('a fresh OpenClaw answers after install, and is as it was after uninstall', {
  timeout: patience,
}, async () => {
  // OpenClaw's first own write adds things of its own.
  await openclaw.run(['config', 'set', 'gateway.mode', 'local']);
  await openclaw.run(['config', 'set', 'agents.defaults.heartbeat.every', '1h']);
  const before = await configuration();

  const looked = await synthesis('install', '--dry-run', '--with-plugin', '--json');
  expect(looked).toMatchObject({ code: 0 });
  expect(JSON.parse(looked.stdout)).toMatchObject({ applied: false, default_model: true, plugin: true });
  expect(await configuration()).toEqual(before);

  expect(await synthesis('install', '--with-plugin')).toMatchObject({ code: 0 });
  const token = (await readFile(join(bridge.stateDir, 'token'), 'utf8')).trim();
  expect(JSON.stringify(await configuration())).not.toContain(token);
  const plugin = join(home.path, '.openclaw/extensions/synthesis');
  expect(existsSync(plugin)).toBe(true);
  expect(await openclaw.agent('agent:main:main', 'hi')).toMatch(/^You said: .*hi$/m);
  const status = await synthesis('status', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ status: 'healthy' });
  expect(JSON.parse(status.stdout).checks.map(({ name }: { name: string }) => name)).toEqual([
    'bridge',
    'openclaw',
    'provider',
    'model',
    'gateway',
    'plugin',
  ]);
  const sessions = JSON.parse(await bridge.bridge.command('ps', '--json'));
  expect(sessions).toMatchObject([{ key: 'agent:main:main', guessed: false }]);

  expect(await synthesis('uninstall')).toMatchObject({ code: 0 });
  expect(await configuration()).toEqual(before);
  expect(existsSync(plugin)).toBe(false);
  expect(await openclaw.run(['config', 'validate'])).toBeDefined();
});

test('an OpenClaw whose configuration is managed elsewhere is left alone, in words', async () => {
  const before = await configuration();
  openclaw.env.OPENCLAW_CONFIG_READONLY = '1';
  const refused = await synthesis('install');
  delete openclaw.env.OPENCLAW_CONFIG_READONLY;
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("OpenClaw's configuration is read-only");
  expect(await configuration()).toEqual(before);
});

test('a token or address that no longer fits is noticed', async () => {
  await openclaw.run([
    'config',
    'set',
    'models.providers.synthesis',
    JSON.stringify({
      baseUrl: `${bridge.bridge.url}/v1`,
      apiKey: 'old',
      api: 'openai-completions',
      models: [],
    }),
    '--strict-json',
  ]);
  const { code, stdout } = await synthesis('status');
  expect(code).toBe(7);
  expect(stdout).toContain('The token in OpenClaw is not the one of this bridge.');
  expect(await synthesis('install', '--no-default-model')).toMatchObject({ code: 0 });
  expect(await synthesis('status')).toMatchObject({ code: 0 });
});
