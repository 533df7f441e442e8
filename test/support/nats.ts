// Real nats-servers on loopback, one or a cluster of them, that can be stopped, killed and started again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { lastingPort } from './lasting-port.ts';
import { pause } from './processes.ts';
import { until } from './until.ts';

/** Debian has it where the PATH of an ordinary user does not lead. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
/** Path of the program; undefined where it is not installed. */
export const natsServer = folders
  .map((folder) => join(folder, 'nats-server'))
  .find((path) => existsSync(path));

export const natsToken = 'a-token-for-tests';

export class NatsServer {
  readonly port: number;
  readonly #config: string;
  #child: ChildProcess | undefined;

  constructor(port: number, config: string) {
    this.port = port;
    this.#config = config;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    if (natsServer === undefined)
      throw new Error('nats-server is not installed. Debian and Ubuntu have a package of that name.');
    this.#child = spawn(natsServer, ['-c', this.#config], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH },
    });
    await once(this.#child, 'spawn');
    await until(`a nats-server on ${this.port}`, () => answers(this.port));
  }

  /** Resolves when it stands still: until then it may still answer. */
  async pause(): Promise<void> {
    if (this.#child?.pid !== undefined) await pause(this.#child.pid);
  }

  goOn(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Kills it, whatever it does. Its files stay for the next start. Idempotent. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

export class NatsServers implements AsyncDisposable {
  readonly all: NatsServer[];
  /** Everything that any of them has on the disk. */
  readonly folder: string;

  private constructor(folder: string, all: NatsServer[]) {
    this.folder = folder;
    this.all = all;
  }

  /** @param count 1, or 3 for one that goes on when a server is gone @param more lines of each one's configuration */
  static async start(count: 1 | 3 = 1, more = ''): Promise<NatsServers> {
    const root = mkdtempSync(join(tmpdir(), 'nats-'));
    const ports: { client: number; route: number }[] = [];
    for (let n = 0; n < count; n += 1)
      ports.push({ client: await lastingPort(), route: await lastingPort() });
    const all = ports.map(({ client, route }, n) => {
      const others = ports.map((each) => `nats://127.0.0.1:${each.route}`);
      // As in the guide: clients know the servers that they were told of, so a proxy in front of one is never passed by.
      const cluster = `cluster { name: test, listen: "127.0.0.1:${route}", no_advertise: true, routes: [${others.join(', ')}] }`;
      const store = join(root, `${n}`);
      mkdirSync(store);
      const config = join(root, `${n}.conf`);
      writeFileSync(
        config,
        `server_name: n${n}\nlisten: "127.0.0.1:${client}"\nauthorization { token: "${natsToken}" }\n` +
          `jetstream { store_dir: "${store}" }\n${count > 1 ? cluster : ''}\n${more}\n`,
      );
      return new NatsServer(client, config);
    });
    const servers = new NatsServers(root, all);
    await Promise.all(all.map((each) => each.start()));
    return servers;
  }

  get urls(): string[] {
    return this.all.map(({ url }) => url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((each) => each.kill()));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Whether a server says its INFO there. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    const [greeting] = await once(socket, 'data');
    return String(greeting).startsWith('INFO');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
