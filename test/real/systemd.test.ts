// What the end of a unit of systemd ends: everything in it, but no host that has a scope of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowsOnDisk } from '../../crash/history/evidence.ts';
import { isAlive } from '../../src/base/process/process-identity.ts';
import { hostFolders } from '../../src/bridge/terminal/host-folders.ts';
import { Home, type RunningBridge, simulatedClaude } from '../e2e/support/program.ts';
import { lastingPort } from '../support/lasting-port.ts';
import { until } from '../support/until.ts';
import { UserSystemd } from './support/user-systemd.ts';

/** The unit that the bridge is in: as its service, or its login. */
const unit = 'synthesis-test-bridge';
const hosts = ['list-units', '--all', '--plain', '--no-legend', 'synthesis-host-*'];

class Machine extends Home {
  readonly systemd: UserSystemd;
  readonly #port: number;

  private constructor(systemd: UserSystemd, port: number) {
    super();
    this.systemd = systemd;
    this.#port = port;
  }

  static async with(systemd: UserSystemd): Promise<Machine> {
    return new Machine(systemd, await lastingPort());
  }

  /** A bridge in the unit. */
  begin(env: Record<string, string> = this.systemd.env): Promise<RunningBridge> {
    const { runtimeDir } = this.systemd;
    const under = ['env', `XDG_RUNTIME_DIR=${runtimeDir}`, 'systemd-run', '--user', '--scope', '--collect'];
    // What the bridge gets of it is another matter.
    const back = ['env', '-u', 'XDG_RUNTIME_DIR', ...Object.entries(env).map((each) => each.join('='))];
    const args = ['--claude', simulatedClaude, '--delivery', 'terminal', '--port', String(this.#port)];
    return this.up({ args, under: [...under, '--quiet', `--unit=${unit}`, ...back] });
  }

  /** Kills all that is in the unit. */
  async endUnit(bridge: RunningBridge): Promise<void> {
    this.systemd.systemctl('kill', '--signal=SIGKILL', `${unit}.scope`);
    await until('the end of the bridge', () => bridge.child.signalCode !== null);
    await until('the end of its unit', () =>
      this.systemd.systemctl('list-units', '--all', `${unit}.scope`).includes('0 loaded'),
    );
  }

  get host() {
    return hostFolders(join(this.state, 'sessions'))[0]?.file;
  }

  rows(type: string): number {
    return rowsOnDisk(this.state).filter(({ event }) => event.type === type).length;
  }
}

const unitName = /synthesis-host-\w+\.scope/g;

/** The unit of a host. */
const scopeOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/cgroup`, 'utf8').match(unitName)?.[0] ?? expect.fail('it has none');

test('a host has a scope, which stays when the unit of its bridge ends, and goes with the host', async () => {
  await using systemd = await UserSystemd.open();
  await using machine = await Machine.with(systemd);
  const first = await machine.begin();
  await first.ask('s', 'hello');
  const host = machine.host ?? expect.fail('there is no host');
  const scope = scopeOf(host.pid);
  expect(scope).toMatch(/^synthesis-host-/);
  expect(readFileSync(`/proc/${host.pid}/environ`, 'utf8')).toBe('');
  expect(systemd.systemctl(...hosts)).toContain(scope);

  await machine.endUnit(first);
  expect(isAlive(host)).toBe(true);
  const second = await machine.begin();
  expect(await second.ask('s', 'again')).toContain('I remember 1 earlier');
  expect([machine.rows('agent.ready'), machine.rows('agent.adopted')]).toEqual([1, 1]);

  await second.end();
  await machine.command('down');
  await until('the end of its scope', () => systemd.systemctl(...hosts) === '');
});

test('a spare host waits in a scope, is a host there, and the one behind it ends with its bridge', async () => {
  await using systemd = await UserSystemd.open();
  await using machine = await Machine.with(systemd);
  const units = () => new Set(systemd.systemctl(...hosts).match(unitName));
  machine.configure({ log: { level: 'debug' } });
  const bridge = await machine.begin();
  const log = join(machine.state, 'bridge.log');
  await until('a spare host', () => readFileSync(log, 'utf8').includes('a spare host waits'));
  const [unit = ''] = units();
  await bridge.ask('s', 'hello');
  const host = machine.host ?? expect.fail('there is no host');
  expect(scopeOf(host.pid)).toBe(unit);
  await until('the next one', () => units().size === 2);
  await machine.endUnit(bridge);
  await until('its end', () => units().size === 1);
  expect([...units()]).toEqual([unit]);
  await machine.command('down');
  await until('the end of its scope', () => units().size === 0);
});

test('without one it is in the unit of its bridge, and ends with that', async () => {
  await using systemd = await UserSystemd.open();
  await using machine = await Machine.with(systemd);
  // No manager is there.
  const bridge = await machine.begin({ XDG_RUNTIME_DIR: machine.path });
  await bridge.ask('s', 'hello');
  const host = machine.host ?? expect.fail('there is no host');
  expect(readFileSync(`/proc/${host.pid}/cgroup`, 'utf8')).toContain(`/${unit}.scope\n`);
  await machine.endUnit(bridge);
  await until('the end of the host', () => !isAlive(host));
});
