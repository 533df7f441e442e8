// Several machines on one: homes whose bridges meet at real nats-servers. A machine can lose power, stand still or be cut off.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callBridge } from '../../../src/cli/client/control-client.ts';
import { withOthers } from '../../../src/cli/client/with-others.ts';
import { Cable } from '../../support/cable.ts';
import { NatsServers, natsToken } from '../../support/nats.ts';
import { isOver, killAt, pause, processesAt, runs, signal } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { Home, type Ran, type RunningBridge, simulatedClaude } from './program.ts';

/** What machines have beside a name and servers. */
export interface Machine {
  /** Keys of `cluster`. */
  cluster?: object;
  /** Other keys of the configuration. */
  config?: object;
  /** Of the bridge, and so of Claude. */
  env?: Record<string, string>;
  /** Whether its connection to the servers can be broken. */
  hasCable?: boolean;
}

interface Node {
  home: Home;
  machine: Machine;
  bridge: RunningBridge;
  cable: Cable | undefined;
}

/** The bridge alone, or all that runs on the machine. */
type Part = 'bridge' | 'machine';

/** For one answer of a bridge, as `cluster status` has it. */
const patience = { timeoutMs: 10_000 };
/** Between two looks at a cluster, which changes in seconds. */
export const lookMs = 50;

export class Nodes implements AsyncDisposable {
  readonly servers: NatsServers;
  readonly #all: Machine;
  /** Of what is written down about all of them; gone with them. */
  readonly folder = mkdtempSync(join(tmpdir(), 'synthesis-nodes-'));
  readonly #nodes = new Map<string, Node>();

  private constructor(servers: NatsServers, all: Machine) {
    this.servers = servers;
    this.#all = all;
  }

  /** Servers, and no machine yet. @param all what every machine has, unless it has its own */
  static async none(servers?: 1 | 3, all: Machine = {}): Promise<Nodes> {
    return new Nodes(await NatsServers.start(servers), all);
  }

  /** @param names one bridge for each, which all know each other then */
  static async met(names: readonly string[], servers?: 1 | 3, all?: Machine): Promise<Nodes> {
    const nodes = await Nodes.none(servers, all);
    await Promise.all(names.map((name) => nodes.begin(name)));
    await Promise.all(names.map((name) => nodes.sees(name, 'alive', names.length - 1)));
    return nodes;
  }

  /**
   * Starts the bridge of a machine, for the first time or again.
   * @param node what it is called; null: it is alone
   * @param own what it alone has; absent: as before
   */
  async begin(name: string, node: string | null = name, own?: Machine): Promise<void> {
    const before = this.#nodes.get(name);
    const home = before?.home ?? new Home();
    const machine = own ?? before?.machine ?? {};
    const cable =
      before?.cable ??
      ((machine.hasCable ?? this.#all.hasCable)
        ? await Cable.to(this.servers.all.map(({ port }) => port))
        : undefined);
    const servers = cable?.urls ?? this.servers.urls;
    const cluster = { node, servers, token: natsToken, ...this.#all.cluster, ...machine.cluster };
    // One sender here is many people.
    const limits = { messagesPerMinute: 10_000 };
    const config = { limits, ...this.#all.config, ...machine.config };
    home.configure({ ...config, ...(node !== null && { cluster }) });
    const env = { SIM_PROMPT_LOG: this.#prompts, ...this.#all.env, ...machine.env };
    this.#nodes.set(name, { home, machine, cable, bridge: await home.up({ env }) });
  }

  /** Every prompt that a Claude was given, on whichever machine, oldest first. */
  given(): string[] {
    if (!existsSync(this.#prompts)) return [];
    const lines = readFileSync(this.#prompts, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line));
  }

  /** What can be asked now. */
  get running(): RunningBridge[] {
    const bridges = [...this.#nodes.values()].map(({ bridge }) => bridge);
    return bridges.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  }

  /** Between that machine and the servers. */
  cable(name: string): Cable {
    const { cable } = this.#of(name);
    if (!cable) throw new Error(`${name} has no cable`);
    return cable;
  }

  /** The machine loses power: bridge, hosts, Claudes, and what those have started. */
  async kill(name: string): Promise<void> {
    await killAt(this.home(name).path);
    await this.bridge(name).kill();
  }

  async pause(name: string, part: Part): Promise<void> {
    const still = new Set<number>();
    for (;;) {
      // Who was just about to start another has started it.
      const moving = this.#pids(name, part).filter((pid) => !still.has(pid));
      if (moving.length === 0) return;
      await Promise.all(moving.map(pause));
      for (const pid of moving) still.add(pid);
    }
  }

  wake(name: string, part: Part): void {
    for (const pid of this.#pids(name, part)) signal(pid, 'SIGCONT');
  }

  /** Where each conversation lives, as a machine sees it. */
  async homes(name: string): Promise<Record<string, string | undefined>> {
    const { state } = this.home(name);
    const own = await callBridge(state, 'session.list', {}, patience);
    const { all } = await withOthers(state, own, (other) => other.call('session.list', {}, patience));
    return Object.fromEntries(all.map(({ key, node }) => [key, node]));
  }

  /** Waits until a machine sees each where it is to be: a list leaves out who did not answer in time. */
  async live(name: string, homes: Record<string, string>): Promise<void> {
    const areThere = async () => {
      const seen = await this.homes(name);
      return Object.entries(homes).every(([session, home]) => seen[session] === home);
    };
    await until(`${JSON.stringify(homes)}, as ${name} sees it`, areThere, 30_000, lookMs);
  }

  /** Claude Codes that run on a machine. */
  claudes(name: string): number[] {
    return processesAt(this.home(name).path).filter((pid) => runs(pid, simulatedClaude));
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

  /** Waits until a machine has a part in the cluster, and shows as many others in a state. */
  async sees(name: string, state: string, count: number): Promise<void> {
    const { home } = this.#of(name);
    await until(
      `${count} nodes ${state}, as ${name} sees them`,
      async () => {
        // Its bridge may not be there yet, or just not.
        const view = await callBridge(home.state, 'cluster.status', {}, patience).catch(() => null);
        // What it knows of others is as it was until it has read it anew.
        if (view?.state !== 'connected' || view.reason !== null) return false;
        return view.nodes.filter((row) => row.state === state).length === count;
      },
      30_000,
      lookMs,
    );
  }

  /** Waits until a machine is told which nats-servers have not all that nodes keep there. */
  async kept(name: string, { behind }: { behind: string[] }): Promise<void> {
    const { home } = this.#of(name);
    const isSo = async () => {
      const servers = await callBridge(home.state, 'cluster.servers', {}, patience);
      return servers?.every(({ server, current }) => current !== behind.includes(server));
    };
    await until(`${behind.join() || 'none'} to be behind, as ${name} is told`, isSo, 60_000, lookMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#nodes.keys()) this.wake(name, 'machine');
    for (const { home } of this.#nodes.values()) await home[Symbol.asyncDispose]();
    for (const { cable } of this.#nodes.values()) await cable?.[Symbol.asyncDispose]();
    await this.servers[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #prompts(): string {
    return join(this.folder, 'prompts.jsonl');
  }

  #pids(name: string, part: Part): number[] {
    const { home, bridge } = this.#of(name);
    if (part === 'machine') return processesAt(home.path);
    const { pid } = bridge.child;
    return pid === undefined || isOver(pid) ? [] : [pid];
  }

  #of(name: string): Node {
    const node = this.#nodes.get(name);
    if (!node) throw new Error(`no node ${name}`);
    return node;
  }
}
