// `synthesis service` with a real user manager of systemd. Root starts one for the test; nobody else's is touched.
import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { rowsOnDisk } from '../../crash/history/evidence.ts';
import { isRunning } from '../../src/base/process/process-identity.ts';
import { Home, type Ran, simulatedClaude } from '../e2e/support/program.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { until } from '../support/until.ts';
import { UserSystemd } from './support/user-systemd.ts';

class Machine extends Home {
  readonly #port: number;
  readonly #systemd: UserSystemd;
  /** What a unit has to escape. */
  readonly odd = join(this.path, 'a "b" 50% $HOME é');

  private constructor(systemd: UserSystemd, port: number) {
    super();
    this.#systemd = systemd;
    this.#port = port;
    mkdirSync(this.odd);
    this.settings({});
  }

  static async with(systemd: UserSystemd): Promise<Machine> {
    return new Machine(systemd, await lastingPort());
  }

  settings(more: object): void {
    const config = { claude: simulatedClaude, delivery: 'terminal', port: this.#port, ...more };
    writeFileSync(join(this.path, 'config.json'), JSON.stringify(config));
  }

  /** The manager looks for units in its own home. */
  override env(extra: Record<string, string> = {}): Record<string, string> {
    const { runtimeDir, env } = this.#systemd;
    return { ...super.env(extra), ...env, HOME: runtimeDir, SYNTHESIS_HOME: this.path };
  }

  get unit(): string {
    return join(this.#systemd.runtimeDir, '.config/systemd/user/synthesis.service');
  }

  service(...args: string[]): Promise<Ran> {
    return this.run(['service', ...args]);
  }

  async status() {
    const { code, stdout } = await this.service('status', '--json');
    return {
      code,
      ...(JSON.parse(stdout) as { pid: number | null; restarts: number; active: string; doubts: string[] }),
    };
  }

  /** @returns its pid */
  async running(than?: number): Promise<number> {
    await until('a bridge', () => {
      const pid = this.announced();
      return pid !== undefined && pid !== than && isRunning(pid);
    });
    return this.announced() ?? expect.fail('it has gone');
  }

  announced(state = this.state): number | undefined {
    const file = join(state, 'bridge.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid : undefined;
  }

  async ask(content: string, state = this.state): Promise<string> {
    const client = new OpenAI({
      baseURL: `http://127.0.0.1:${this.#port}/v1`,
      apiKey: readFileSync(join(state, 'token'), 'utf8').trim(),
      maxRetries: 5,
      defaultHeaders: { 'x-synthesis-session': 's' },
    });
    const answer = await client.chat.completions.create({
      model: 'claude',
      messages: [{ role: 'user', content }],
    });
    return answer.choices[0]?.message.content ?? '';
  }

  starts(): number {
    return rowsOnDisk(this.state).filter(({ event }) => event.type === 'agent.ready').length;
  }
}

const needsRoot = process.getuid?.() !== 0;

test.skipIf(needsRoot)(
  'a service is started again after kill -9, and by an update, and its Claude Code goes on over both',
  async () => {
    await using systemd = await UserSystemd.open();
    await using machine = await Machine.with(systemd);
    expect(await machine.service('install', '--cwd', machine.odd)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The service is installed and runs'),
    });
    const first = await machine.running();
    expect(readFileSync(`/proc/${first}/cgroup`, 'utf8')).toContain('/synthesis.service');
    await machine.ask('hello');

    process.kill(first, 'SIGKILL');
    const second = await machine.running(first);
    expect(await machine.ask('again')).toContain('I remember 1 earlier');
    expect(await machine.status()).toMatchObject({ code: 0, pid: second, restarts: 1, doubts: [] });

    const again = await machine.service('install');
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Nothing changed')]);
    expect(machine.announced()).toBe(second);

    // As `systemctl edit` leaves it; it also reloads, where systemd has booted the machine.
    const own = join(dirname(machine.unit), 'synthesis.service.d');
    const variables = join(machine.odd, 'environment');
    mkdirSync(own);
    writeFileSync(variables, 'HTTPS_PROXY=http://127.0.0.1:1\n');
    writeFileSync(
      join(own, 'override.conf'),
      `[Service]\nEnvironmentFile=${variables.replaceAll('%', '%%')}\n`,
    );

    // As after an upgrade.
    writeFileSync(
      machine.unit,
      readFileSync(machine.unit, 'utf8').replace(/"version":"[^"]*"/, '"version":"0.0.1"'),
    );
    expect(await machine.status()).toMatchObject({
      code: 7,
      doubts: [expect.stringContaining('The unit is of release 0.0.1')],
    });
    expect((await machine.service('install')).stderr).toContain('The service was brought up to date');
    const third = await machine.running(second);
    expect(readFileSync(`/proc/${third}/environ`, 'utf8')).toContain('\0HTTPS_PROXY=http://127.0.0.1:1\0');
    expect(await machine.ask('and again')).toContain('I remember 2 earlier');
    expect(machine.starts()).toBe(1);

    const out = await machine.service('uninstall');
    expect([out.code, existsSync(machine.unit), machine.announced()]).toEqual([0, false, undefined]);
    expect(out.stderr).toContain(machine.state);
    expect((await machine.service('status')).code).toBe(4);
    expect((await machine.service('uninstall')).stderr).toContain('not installed');
    expect((await machine.command('down')).stderr).toContain('was ended');
  },
);

test.skipIf(needsRoot)(
  'a bridge that runs already is left alone, and with --replace its Claude Code goes over to the service',
  async () => {
    await using systemd = await UserSystemd.open();
    await using machine = await Machine.with(systemd);
    await machine.command('up', '-d');
    const before = await machine.running();
    await machine.ask('hello');
    const refused = await machine.service('install');
    expect([refused.code, existsSync(machine.unit), machine.announced()]).toEqual([1, false, before]);
    expect(refused.stderr).toContain(`(pid ${before})`);
    expect((await machine.service('install', '--replace')).code).toBe(0);
    expect(await machine.running(before)).toBe((await machine.status()).pid);
    expect(await machine.ask('again')).toContain('I remember 1 earlier');
    expect(machine.starts()).toBe(1);
    await machine.service('uninstall');
    await machine.command('down');
  },
);

test.skipIf(needsRoot)(
  'a service that goes down in order or has a wrong configuration stays down',
  async () => {
    await using systemd = await UserSystemd.open();
    await using machine = await Machine.with(systemd);
    await machine.service('install');
    const pid = await machine.running();
    await machine.command('down');
    await until('its end', () => !isRunning(pid));
    expect(await machine.status()).toMatchObject({ code: 6, pid: null, active: 'inactive', restarts: 0 });

    machine.settings({ nonsense: 1 });
    expect(await machine.service('install')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nonsense'),
    });
    expect(() => systemd.systemctl('start', 'synthesis.service')).not.toThrow();
    await until(
      'a failure',
      () => systemd.systemctl('show', '-P', 'ActiveState', 'synthesis.service').trim() === 'failed',
    );
    expect(await machine.status()).toMatchObject({ code: 6, restarts: 0 });
    expect((await machine.service('status')).stdout).toContain('it ended with exit code 2');

    // Somebody runs a bridge by hand meanwhile: the service leaves it alone, and is not tried over and over.
    machine.settings({});
    await machine.command('up', '-d');
    const other = await machine.running();
    systemd.systemctl('reset-failed', 'synthesis.service');
    systemd.systemctl('start', 'synthesis.service');
    await until('an end', async () => (await machine.status()).active === 'failed');
    expect(await machine.status()).toMatchObject({ code: 6, restarts: 0 });
    expect((await machine.service('status')).stdout).toContain('it ended with exit code 8');
    expect(machine.announced()).toBe(other);
    expect((await machine.service('install', '--replace')).code).toBe(0);
    await machine.service('uninstall');
  },
);

test.skipIf(needsRoot)(
  'after a restart of the user manager the service runs by itself and goes on with the conversation, whatever its folders are called',
  async () => {
    await using systemd = await UserSystemd.open();
    await using machine = await Machine.with(systemd);
    const state = join(machine.odd, 'state \\n');
    expect((await machine.service('install', '--cwd', machine.odd, '--state-dir', state)).code).toBe(0);
    const { pid } = await machine.status();
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').at(-2)).toBe(state);
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe(machine.odd);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain(`SYNTHESIS_HOME=${machine.path}\0`);
    await machine.ask('hello', state);

    await systemd.reboot();
    await until('a bridge', () => {
      const now = machine.announced(state);
      return now !== undefined && now !== pid && isRunning(now);
    });
    expect(await machine.ask('again', state)).toContain('I remember 1 earlier');
    await machine.service('uninstall');
    await machine.run(['down', '--state-dir', state]);
  },
);
