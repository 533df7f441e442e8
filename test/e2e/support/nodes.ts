// Several machines on one: homes whose bridges meet at real nats-servers.
import { NatsServers, natsToken } from '../../support/nats.ts';
import { until } from '../../support/until.ts';
import { Home, type Ran, type RunningBridge } from './program.ts';

interface Node {
  home: Home;
  bridge: RunningBridge;
}

export class Nodes implements AsyncDisposable {
  readonly servers: NatsServers;
  readonly #nodes = new Map<string, Node>();

  private constructor(servers: NatsServers) {
    this.servers = servers;
  }

  /** Servers, and no machine yet. */
  static async none(servers?: 1 | 3): Promise<Nodes> {
    return new Nodes(await NatsServers.start(servers));
  }

  /** @param names one bridge for each, which all know each other then */
  static async met(names: readonly string[], servers?: 1 | 3): Promise<Nodes> {
    const nodes = await Nodes.none(servers);
    await Promise.all(names.map((name) => nodes.begin(name)));
    await Promise.all(names.map((name) => nodes.sees(name, 'alive', names.length - 1)));
    return nodes;
  }

  /** Starts the bridge of a machine, for the first time or again. @param node what it is called; null: it is alone */
  async begin(name: string, node: string | null = name): Promise<void> {
    const home = this.#nodes.get(name)?.home ?? new Home();
    const cluster = { node, servers: this.servers.urls, token: natsToken };
    // One sender here is many people.
    const limits = { messagesPerMinute: 10_000 };
    home.configure({ limits, ...(node !== null && { cluster }) });
    this.#nodes.set(name, { home, bridge: await home.up() });
  }

  home(name: string): Home {
    return this.#of(name).home;
  }

  bridge(name: string): RunningBridge {
    return this.#of(name).bridge;
  }

  /** One command on a machine. */
  command(name: string, ...args: string[]): Promise<Ran> {
    const { home } = this.#of(name);
    return home.run([...args, '--state-dir', home.state]);
  }

  /** What one prints for programs. */
  async json<T>(name: string, ...args: string[]): Promise<T> {
    const { stdout, stderr } = await this.command(name, ...args, '--json');
    if (stdout === '') throw new Error(`${args.join(' ')} on ${name}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Waits until a machine shows as many others in a state. */
  async sees(name: string, state: string, count: number): Promise<void> {
    await until(
      `${count} nodes ${state}, as ${name} sees them`,
      async () => {
        const { stdout } = await this.command(name, 'cluster', 'status', '--json');
        const rows: { state: string }[] = stdout.startsWith('{') ? (JSON.parse(stdout).nodes ?? []) : [];
        return rows.filter((row) => row.state === state).length === count;
      },
      30_000,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { home } of this.#nodes.values()) await home[Symbol.asyncDispose]();
    await this.servers[Symbol.asyncDispose]();
  }

  #of(name: string): Node {
    const node = this.#nodes.get(name);
    if (!node) throw new Error(`no node ${name}`);
    return node;
  }
}
