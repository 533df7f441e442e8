// After `rm` neither a host of the conversation is there nor anything that one leaves, wherever it lies.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowsOnDisk } from '../../../crash/history/evidence.ts';
import { isAlive } from '../../../src/base/process/process-identity.ts';
import type { HostFile } from '../../../src/protocol/wire/host.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

/** A home in which a session's folder has too long a path for a socket. */
class LongHome extends Home {
  override readonly state = join(this.path, 'a-state-folder-with-a-long-name'.repeat(3));
  readonly #temp = join(this.path, 'tmp');

  start(): Promise<RunningBridge> {
    mkdirSync(this.#temp, { recursive: true });
    return this.up({ env: { TMPDIR: this.#temp } });
  }

  hosts(): HostFile[] {
    const sessions = join(this.state, 'sessions');
    const files = readdirSync(sessions).map((name) => join(sessions, name, 'host.json'));
    return files
      .filter((file) => existsSync(file))
      .map((file) => JSON.parse(readFileSync(file, 'utf8')) as HostFile);
  }

  /** What lies where sockets with short paths do, but for the bridge's own. */
  sockets({ at }: RunningBridge): string[] {
    const dirs = readdirSync(this.#temp).filter((name) => name.startsWith('synthesis-'));
    const paths = dirs.flatMap((dir) => readdirSync(join(this.#temp, dir)).map((name) => join(dir, name)));
    return paths.map((path) => join(this.#temp, path)).filter((path) => path !== at.control);
  }
}

test.each([
  ['runs', false],
  ['was killed', true],
])('of one whose host %s', async (_, isKilled) => {
  await using home = new LongHome();
  const bridge = await home.start();
  await bridge.ask('goes', 'hello');
  const [host] = home.hosts() as [HostFile];
  expect(home.sockets(bridge)).toEqual([host.socket]);
  if (isKilled) {
    process.kill(host.pid, 'SIGKILL');
    await until('the end of the session', () => bridge.lines.some(({ event }) => event === 'agent.exited'));
    expect(home.sockets(bridge)).toEqual([host.socket]);
  }
  const removed = await home.command('rm', 'goes');
  expect(removed.stdout + removed.stderr).toContain('Its text is deleted.');
  await until('the end of its host', () => !isAlive(host));
  await until('its socket is gone', () => home.sockets(bridge).length === 0);
  expect(readdirSync(join(home.state, 'sessions'))).toEqual([]);
});

test('of one that was removed right before the bridge was killed', async () => {
  await using home = new LongHome();
  const killed = await home.start();
  await killed.ask('stays', 'hello');
  const [stays] = home.hosts() as [HostFile];
  const before = readdirSync(join(home.state, 'sessions'));
  await killed.ask('goes', 'hello');
  const goes = home.hosts().find(({ pid }) => pid !== stays.pid) as HostFile;
  // So that the bridge does not see it end.
  process.kill(goes.pid, 'SIGSTOP');
  const removed = home.command('rm', 'goes');
  const isOnDisk = () => rowsOnDisk(home.state).some(({ event }) => event.type === 'session.removed');
  await until('its removal', isOnDisk);
  await killed.kill();
  process.kill(goes.pid, 'SIGCONT');
  await removed;
  expect(isAlive(goes)).toBe(true);
  const bridge = await home.start();
  await until('the end of its host', () => !isAlive(goes));
  const folders = () => readdirSync(join(home.state, 'sessions'));
  await until('the removed one is forgotten', () => folders().join() === before.join());
  await until('one socket is left', () => home.sockets(bridge).join() === stays.socket);
  expect(isAlive(stays)).toBe(true);
});
