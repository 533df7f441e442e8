// The built program as a user runs it, with the simulated Claude behind it and a home of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import OpenAI from 'openai';
import { layToken, operatorEnv } from '../../support/operate-token.ts';
import { isOver } from '../../support/processes.ts';
import { until } from '../../support/until.ts';

const root = resolve(import.meta.dirname, '../../..');
const ownProgram = join(root, 'bin/synthesis.js');
/** Of all homes, or each first command would compile the program anew. */
const caches = join(root, 'node_modules/.cache');
export const simulatedClaude = join(root, 'dist/demo/claude.js');
export const channelProgram = join(root, 'dist/channel/main.js');

export interface Ready {
  event: 'ready';
  url: string;
  pid: number;
  state_dir: string;
  token_file: string;
  control: string;
}

export interface Ran {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

/** A home directory and everything that was started in it. */
export class Home implements AsyncDisposable {
  readonly path = mkdtempSync(join(tmpdir(), 'synthesis-e2e-'));
  readonly state = join(this.path, 'state');
  readonly cwd = join(this.path, 'work');
  readonly #bridges: RunningBridge[] = [];
  readonly #program: string;

  /** @param program another one than this checkout's */
  constructor(program = ownProgram) {
    this.#program = program;
    mkdirSync(this.cwd);
  }

  env(extra: Record<string, string> = {}): Record<string, string> {
    const own = { HOME: this.path, XDG_CACHE_HOME: caches };
    return { PATH: process.env.PATH ?? '', ...own, LANG: 'C.UTF-8', TERM: 'dumb', ...extra };
  }

  /** Writes the configuration file. */
  configure(config: object): void {
    const folder = join(this.path, '.config/synthesis');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  }

  /** The command line of the program, for a terminal of its own. */
  argv(...args: string[]): readonly [string, ...string[]] {
    return [process.execPath, this.#program, ...args];
  }

  /** Runs one command to its end. @param extra `node`: flags of Node */
  async run(
    args: string[],
    extra: { env?: Record<string, string>; input?: string; node?: string[] } = {},
  ): Promise<Ran> {
    const { exitCode, stdout, stderr } = await execa(
      process.execPath,
      [...(extra.node ?? []), this.#program, ...args],
      {
        env: { ...operatorEnv, ...this.env(extra.env) },
        extendEnv: false,
        cwd: this.cwd,
        reject: false,
        timeout: 60_000,
        ...(extra.input === undefined ? { stdin: 'ignore' as const } : { input: extra.input }),
      },
    );
    return { code: exitCode, stdout, stderr };
  }

  /** Commands against this home's bridge. */
  command(name: string, ...args: string[]): Promise<Ran> {
    return this.run([name, '--state-dir', this.state, ...args]);
  }

  /** `synthesis up`, waited for. @param options `under`: a command that becomes the one behind it; `places`: not, to leave port and folder to the configuration */
  async up(
    options: { args?: string[]; env?: Record<string, string>; under?: string[]; places?: boolean } = {},
  ): Promise<RunningBridge> {
    layToken(this.state);
    const places = options.places === false ? [] : ['--port', '0', '--cwd', this.cwd];
    const args = ['up', '--json', '--state-dir', this.state, ...places];
    const given = options.args ?? ['--claude', simulatedClaude, '--delivery', 'terminal'];
    const { env, under } = options;
    const bridge = new RunningBridge(this.argv(...args, ...given), this.env(env), this.cwd, under);
    this.#bridges.push(bridge);
    await bridge.ready();
    return bridge;
  }

  /** Ends every Claude Code as a power cut would: by the process that has its terminal. */
  async killHosts(): Promise<void> {
    const sessions = join(this.state, 'sessions');
    const files = readdirSync(sessions).map((name) => join(sessions, name, 'host.json'));
    for (const file of files.filter((each) => existsSync(each))) {
      const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
      process.kill(pid, 'SIGKILL');
      await until('the end of a host', () => isOver(pid));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const bridge of this.#bridges) await bridge.end();
    // A Claude that lost its bridge still writes its last lines.
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
    const broken = this.#bridges
      .flatMap(({ lines }) => lines)
      .find(({ event }) => event === 'session.broken');
    if (broken) throw new Error(`the bridge lost track: ${JSON.stringify(broken)}`);
  }
}

export class RunningBridge {
  readonly child: ChildProcess;
  readonly lines: Record<string, unknown>[] = [];
  stderr = '';
  #first: Ready | undefined;

  constructor(argv: readonly string[], env: Record<string, string>, cwd: string, under: string[] = []) {
    const [file = '', ...rest] = [...under, ...argv];
    this.child = spawn(file, rest, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    if (this.child.stdout) {
      createInterface(this.child.stdout).on('line', (line) => this.lines.push(JSON.parse(line)));
    }
  }

  async ready(): Promise<Ready> {
    while (!this.lines[0]) {
      if (this.child.exitCode !== null)
        throw new Error(`up ended with ${this.child.exitCode}: ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.#first = this.lines[0] as unknown as Ready;
    return this.#first;
  }

  get at(): Ready {
    if (!this.#first) throw new Error('the bridge is not ready');
    return this.#first;
  }

  get token(): string {
    return readFileSync(this.at.token_file, 'utf8').trim();
  }

  client(session: string): OpenAI {
    return new OpenAI({
      baseURL: `${this.at.url}/v1`,
      apiKey: this.token,
      maxRetries: 0,
      defaultHeaders: { 'x-synthesis-session': session },
    });
  }

  /** Asks and returns the whole answer. */
  async ask(session: string, content: string): Promise<string> {
    const answer = await this.client(session).chat.completions.create({
      model: 'claude',
      messages: [{ role: 'user', content }],
    });
    return answer.choices[0]?.message.content ?? '';
  }

  /** Asks, and leaves the answer to itself: it may end with this bridge. */
  says(session: string, content: string): void {
    this.ask(session, content).catch(() => {});
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }

  /** @returns the exit code after SIGTERM. */
  async end(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    return this.child.exitCode;
  }
}
