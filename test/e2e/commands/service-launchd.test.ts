// `synthesis service` on a Mac, as far as another machine can show it: the commands, the file, and a stand-in for
// `launchctl` that does with both what launchd is said to do.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'plist';
import { expect, test } from 'vitest';
import { isRunning } from '../../../src/base/process/process-identity.ts';
import { lastingPort } from '../../support/lasting-port.ts';
import { until } from '../../support/until.ts';
import { Home, type Ran, simulatedClaude } from '../support/program.ts';

const support = resolve(import.meta.dirname, '../support');
const program = resolve(import.meta.dirname, '../../../bin/synthesis.js');
const gui = `gui/${process.getuid?.()}`;
const user = `user/${process.getuid?.()}`;
const label = 'synthesis-agent.bridge';

class Mac extends Home {
  readonly odd = join(this.path, 'a "b" <c> & é --');
  readonly agent = join(this.path, 'Library/LaunchAgents/synthesis-agent.bridge.plist');
  readonly launchd = join(this.path, 'launchd');
  readonly #bin = join(this.path, 'bin');

  private constructor() {
    super();
    for (const dir of [
      this.odd,
      this.launchd,
      join(this.launchd, 'gui'),
      join(this.launchd, 'user'),
      this.#bin,
    ])
      mkdirSync(dir);
    for (const domain of [gui, user]) writeFileSync(this.#said(domain), '');
    const [script, load] = ['stand-in-launchctl.sh', 'stand-in-launchd.ts'].map((name) =>
      join(support, name),
    );
    const launchctl = join(this.#bin, 'launchctl');
    const cache = process.env.NODE_COMPILE_CACHE ?? '';
    writeFileSync(
      launchctl,
      `#!/bin/sh\nnode='${process.execPath}' load='${load}'\nexport NODE_COMPILE_CACHE='${cache}'\n. '${script}'\n`,
    );
    chmodSync(launchctl, 0o755);
  }

  static async open(): Promise<Mac> {
    const mac = new Mac();
    mac.configure({ claude: simulatedClaude, delivery: 'terminal', port: await lastingPort() });
    return mac;
  }

  override env(extra: Record<string, string> = {}): Record<string, string> {
    const env = super.env(extra);
    return { ...env, PATH: `${this.#bin}:${env.PATH}`, LAUNCHD_DIR: this.launchd };
  }

  service(command: string, ...flags: string[]): Promise<Ran> {
    return this.run(['service', command, ...flags], { node: ['--require', join(support, 'on-a-mac.cjs')] });
  }

  install = (...flags: string[]) => this.service('install', '--state-dir', this.state, ...flags);

  /** Whether they are logged in at the screen. */
  set screen(isThere: boolean) {
    if (isThere) writeFileSync(this.#said(gui), '');
    else rmSync(this.#said(gui));
  }

  #said = (domain: string) => join(this.launchd, `${domain}.said`);

  async status() {
    const { code, stdout } = await this.service('status', '--json');
    return { code, ...(JSON.parse(stdout) as { active: string }) };
  }

  announced(): number | undefined {
    const file = join(this.state, 'bridge.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid : undefined;
  }

  /** What launchd was told to do since the last time. */
  orders(): string[] {
    const file = join(this.launchd, 'calls');
    if (!existsSync(file)) return [];
    const calls = readFileSync(file, 'utf8').trim().split('\n');
    rmSync(file);
    return calls;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.service('uninstall');
    await this.command('down');
    await super[Symbol.asyncDispose]();
  }
}

test('an agent is installed, started again after kill -9, brought up to date, and taken out', async () => {
  await using mac = await Mac.open();
  expect((await mac.service('status')).code).toBe(4);
  expect((await mac.service('uninstall')).stderr).toContain('not installed; nothing was changed');
  const first = await mac.install('--cwd', mac.odd);
  expect(first).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('The service is installed and runs'),
  });
  expect(first.stderr).toContain(`Its agent is ${mac.agent}; sessions work in ${mac.odd}`);
  expect(first.stderr).toContain('launchd ends it with your logout');
  expect(parse(readFileSync(mac.agent, 'utf8'))).toMatchObject({
    WorkingDirectory: mac.odd,
    ProgramArguments: expect.arrayContaining([process.execPath, program, mac.state]),
  });
  expect(mac.orders()).toEqual([
    `enable ${gui}/${label}`,
    `bootstrap ${gui} ${mac.agent}`,
    `kickstart ${gui}/${label}`,
  ]);
  const pid = mac.announced() ?? expect.fail('no bridge');
  expect(await mac.status()).toMatchObject({
    code: 0,
    installed: true,
    unit: mac.agent,
    state_dir: mac.state,
    enabled: true,
    active: 'active',
    pid,
    restarts: 0,
    linger: false,
    doubts: [],
  });
  const words = (await mac.service('status')).stdout;
  expect(words).toMatch(/^Agent {5}.*\(release .*\)$/m);
  expect(words).toMatch(new RegExp(`^Running {3}pid ${pid}$`, 'm'));

  process.kill(pid, 'SIGKILL');
  const second = await until('a second bridge', () => {
    const now = mac.announced();
    return now !== undefined && now !== pid && isRunning(now) && now;
  });
  expect(await mac.status()).toMatchObject({ code: 0, pid: second, restarts: 1 });

  mac.orders();
  expect((await mac.install()).stderr).toContain(`Nothing changed: the service is installed and runs`);
  expect(mac.orders()).toEqual([]);

  // As after an upgrade. The old bridge still drains when launchd says that it is told.
  const old = readFileSync(mac.agent, 'utf8').replace(/"version":"[^"]*"/, '"version":"0.0.1"');
  writeFileSync(mac.agent, old);
  expect(await mac.status()).toMatchObject({
    code: 7,
    doubts: [expect.stringContaining('The agent is of release 0.0.1')],
  });
  expect((await mac.install()).stderr).toContain('The service was brought up to date');
  expect(mac.orders().map((order) => order.split(' ')[0])).toEqual([
    'enable',
    'bootout',
    'bootstrap',
    'kickstart',
  ]);
  expect(await mac.status()).toMatchObject({ code: 0, doubts: [] });
  expect(isRunning(second)).toBe(false);

  // What ends well is not started again.
  expect((await mac.command('down')).code).toBe(0);
  await until('launchd has heard', async () => (await mac.status()).active === 'inactive');
  expect((await mac.install()).code).toBe(0);

  const last = mac.announced() ?? expect.fail('no bridge');
  const out = await mac.service('uninstall');
  expect([out.code, existsSync(mac.agent), isRunning(last)]).toEqual([0, false, false]);
  expect(out.stderr).toContain(`Conversations are kept in ${mac.state}`);
  expect((await mac.service('status')).code).toBe(4);
});

test('without a login at the screen the agent is one of the background', async () => {
  await using mac = await Mac.open();
  mac.screen = false;
  expect((await mac.install()).code).toBe(0);
  expect(mac.orders()).toContain(`bootstrap ${user} ${mac.agent}`);
  expect(parse(readFileSync(mac.agent, 'utf8'))).toMatchObject({ LimitLoadToSessionType: 'Background' });
  expect(await mac.status()).toMatchObject({ code: 0, doubts: [] });

  // Later they log in: the next install moves it there.
  mac.screen = true;
  expect((await mac.install()).code).toBe(0);
  expect(mac.orders()).toEqual([
    `enable ${user}/${label}`,
    `bootout ${user}/${label}`,
    `bootstrap ${gui} ${mac.agent}`,
    `kickstart ${gui}/${label}`,
  ]);
});

test('a bridge that cannot start is said, with its words in the log; mended, it runs', async () => {
  await using mac = await Mac.open();
  const config = join(mac.path, '.config/synthesis/config.json');
  const good = readFileSync(config, 'utf8');
  // Asked for when the bridge starts, not when it is installed.
  await using other = await Mac.open();
  const taken = await other.up();
  const { port } = new URL((await taken.ready()).url);
  mac.configure({ ...JSON.parse(good), port: Number(port) });
  const refused = await mac.install();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('It ended with exit code 1')]);
  expect((await mac.service('status')).code).toBe(6);
  expect((await mac.service('logs', '--lines', '2')).stdout).toContain(`Port ${port} on 127.0.0.1 is in use`);
  writeFileSync(config, good);
  expect((await mac.install()).code).toBe(0);
});

test('a bridge that runs already is left alone, and so is an agent of somebody else', async () => {
  await using mac = await Mac.open();
  const bridge = await mac.up();
  const { pid } = await bridge.ready();
  const refused = await mac.install();
  expect([refused.code, existsSync(mac.agent)]).toEqual([1, false]);
  expect(refused.stderr).toContain(`(pid ${pid})`);
  expect((await mac.install('--replace')).code).toBe(0);
  expect(mac.announced()).not.toBe(pid);
  await mac.service('uninstall');

  writeFileSync(mac.agent, '<plist/>');
  for (const command of ['install', 'uninstall'])
    expect(await mac.service(command)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was not made by synthesis; nothing was changed'),
    });
  expect(readFileSync(mac.agent, 'utf8')).toBe('<plist/>');
});

test('a disabled service is enabled by an install, and a folder that no agent can name is refused', async () => {
  await using mac = await Mac.open();
  writeFileSync(join(mac.launchd, `${label}.disabled`), '');
  const odd = join(mac.path, 'a\nb');
  mkdirSync(odd);
  expect(await mac.install('--cwd', odd)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('An agent of launchd cannot hold'),
  });
  expect(await mac.install('--dry-run')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('<key>Label</key>'),
  });
  expect(existsSync(mac.agent)).toBe(false);
  expect((await mac.install()).code).toBe(0);
  writeFileSync(join(mac.launchd, `${label}.disabled`), '');
  expect(await mac.status()).toMatchObject({ code: 0, enabled: false });
  expect((await mac.install()).code).toBe(0);
  expect(await mac.status()).toMatchObject({ enabled: true });
});
