// The built bridge in a home of its own, to be killed and started again on the same port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Home, simulatedClaude } from '../../test/e2e/support/program.ts';
import { lastingPort } from '../../test/support/lasting-port.ts';
import { until } from '../../test/support/until.ts';

const program = resolve(import.meta.dirname, '../../bin/synthesis.js');

/** A Claude that answers fast: what is played is the bridge's part. */
const quick = { SIM_LINE_MS: '15', SIM_LATENCY_MS: '20' };

/** Longest wait for something that a bridge has to say, milliseconds. */
const nextMs = 60_000;

export interface UpOptions {
  /** Shell commands in front of the program, in its own shell: `ulimit -n 64`. */
  limits?: string;
  /** Another port than the house's. */
  port?: number;
  /** The state folder is a disk of this size, as mount takes it, which only this bridge sees and which ends with it. */
  disk?: string;
  /** A module that is loaded in front of the program. */
  preload?: string;
  /** Beside what every bridge of a house has. */
  env?: Record<string, string>;
}

/** One start of the bridge. */
export class Started {
  readonly child: ChildProcess;
  /** What it printed, as JSON. */
  readonly lines: Record<string, unknown>[] = [];
  /** The newest line. */
  last: Record<string, unknown> | undefined;
  stderr = '';
  readonly #awaited = new Set<(line: Record<string, unknown>) => void>();

  constructor(child: ChildProcess) {
    this.child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    if (child.stdout)
      createInterface(child.stdout).on('line', (line) => {
        this.last = JSON.parse(line) as Record<string, unknown>;
        // Rows of a long run would only fill the memory of this process.
        if (this.lines.length < 10) this.lines.push(this.last);
        for (const look of [...this.#awaited]) look(this.last);
      });
  }

  get over(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The line that says where it is. */
  get announced(): Record<string, unknown> | undefined {
    return this.lines.find(({ event }) => event === 'ready');
  }

  /** What it said instead. */
  get said(): string {
    return `exit code ${this.child.exitCode}: ${JSON.stringify(this.lines)} ${this.stderr}`;
  }

  /** @returns whether it became ready, false when it ended before */
  async ready(): Promise<boolean> {
    await until('the bridge', () => this.announced !== undefined || this.over, 30_000);
    return this.announced !== undefined;
  }

  /** Resolves in the moment in which it says this of a session, the next time. @throws when it does not */
  next(event: string, session: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = (end: () => void) => {
        clearTimeout(timer);
        this.#awaited.delete(look);
        end();
      };
      const timer = setTimeout(() => over(() => reject(new Error(`no ${event} of ${session}`))), nextMs);
      const look = (line: Record<string, unknown>) => {
        if (line.event === event && line.session === session) over(resolve);
      };
      this.#awaited.add(look);
    });
  }

  /** @returns the exit code, null after a signal. @throws when it takes longer than `ms` */
  async exit(ms: number): Promise<number | null> {
    await until('the end of the bridge', () => this.over, ms);
    return this.child.exitCode;
  }

  async kill(): Promise<void> {
    if (this.over) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

export class House implements AsyncDisposable {
  readonly home = new Home();
  readonly port: number;
  readonly #delivery: string;
  readonly #started: Started[] = [];
  #bridge: Started | undefined;
  #ownDisk = false;

  private constructor(port: number, delivery: string) {
    this.port = port;
    this.#delivery = delivery;
  }

  /** @param delivery how messages reach Claude: `terminal` or `channel` */
  static async open(delivery: string): Promise<House> {
    const house = new House(await lastingPort(), delivery);
    // Clients here write faster than any person.
    house.home.configure({ limits: { messagesPerMinute: 10_000 } });
    return house;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get token(): string {
    return readFileSync(join(this.state, 'token'), 'utf8').trim();
  }

  /** The state folder, as it is seen from here. */
  get state(): string {
    const { state } = this.home;
    return this.#ownDisk ? join(`/proc/${this.bridge.child.pid}/root`, state) : state;
  }

  /** Where tools of this house write down that they ran. */
  get ran(): string {
    return join(this.home.cwd, 'ran.txt');
  }

  /** The one that is to run. */
  get bridge(): Started {
    if (!this.#bridge) throw new Error('nothing was started');
    return this.#bridge;
  }

  /** Starts a bridge beside whatever runs; it is not waited for. */
  start({ limits, port = this.port, disk, preload, env }: UpOptions = {}): Started {
    const { state, cwd } = this.home;
    const args = ['up', '--json', '--port', String(port), '--state-dir', state, '--cwd', cwd];
    const node = preload === undefined ? [process.execPath] : [process.execPath, '--import', preload];
    const command = [...node, program, ...args, '--claude', simulatedClaude];
    command.push('--delivery', this.#delivery);
    if (limits !== undefined) command.unshift('sh', '-c', `${limits}; exec "$0" "$@"`);
    if (disk !== undefined) {
      const mount = `mkdir -p -m 700 "$0" && mount -t tmpfs -o size=${disk},mode=700 none "$0"`;
      command.unshift('unshare', '-r', '-m', 'sh', '-c', `${mount} && exec "$@"`, state);
    }
    const [file = '', ...rest] = command;
    const options = { env: this.home.env({ ...quick, ...env }), cwd };
    const started = new Started(spawn(file, rest, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
    this.#started.push(started);
    return started;
  }

  /** @throws when it does not become ready */
  async up(options: UpOptions = {}, again = false): Promise<Started> {
    this.#bridge = this.start(options);
    this.#ownDisk = options.disk !== undefined;
    if (await this.#bridge.ready()) return this.#bridge;
    const { said } = this.#bridge;
    // Another run that looks for a port tries whether this one is free.
    if (!said.includes('port_in_use') || again) throw new Error(`up ended: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
    return this.up(options, true);
  }

  /** One that was started beside becomes the one that is to run. */
  adopt(started: Started): void {
    this.#bridge = started;
  }

  /** In order: what follows reads a journal that nobody writes. @returns the exit code */
  async down(): Promise<number | null> {
    if (this.#ownDisk && !this.bridge.over) this.#saveDisk();
    if (!this.bridge.over) this.bridge.child.kill('SIGTERM');
    return this.bridge.exit(20_000);
  }

  /** What lies on it would be gone with the bridge. */
  #saveDisk(): void {
    const filter = (path: string) => !path.endsWith('.sock');
    cpSync(this.state, this.home.state, { recursive: true, filter });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#started) await each.kill();
    await this.home[Symbol.asyncDispose]();
  }
}
