// The bridge as a user runs it: the built program, its documented flags, its ready line. Nothing is imported from src.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import OpenAI from 'openai';
import { layToken, operatorEnv } from '../../support/operate-token.ts';
import { claudePath } from './peers.ts';

const program = resolve(import.meta.dirname, '../../../bin/synthesis.js');

/** Of all homes, or each bridge would compile the program anew. */
const cache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };

export interface BridgeOptions {
  env: Record<string, string>;
  /** Working directory of the sessions. */
  cwd: string;
  stateDir: string;
  /** Default: any free one. */
  port?: number;
  /** The executable of Claude Code; the real one by default. */
  claude?: string;
  /** Default `terminal`. */
  delivery?: 'terminal' | 'channel';
}

interface Ready {
  event: 'ready';
  url: string;
  pid: number;
  state_dir: string;
  token_file: string;
  control: string;
}

export class Bridge implements AsyncDisposable {
  readonly #options: BridgeOptions;
  readonly #child: ChildProcess;
  readonly #log: string[] = [];
  #ready: Ready | undefined;
  #token = '';

  private constructor(options: BridgeOptions) {
    this.#options = options;
    const args = [
      program,
      'up',
      '--json',
      '--port',
      String(options.port ?? 0),
      '--delivery',
      options.delivery ?? 'terminal',
      '--permission-mode',
      'manual',
    ];
    args.push(
      '--state-dir',
      options.stateDir,
      '--cwd',
      options.cwd,
      '--claude',
      options.claude ?? claudePath(),
    );
    this.#child = spawn(process.execPath, args, {
      env: { ...options.env, ...cache },
      cwd: dirname(options.stateDir),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#log.push(text));
  }

  /** Runs `synthesis up` on a free port and waits for its ready line. */
  static async up(options: BridgeOptions): Promise<Bridge> {
    layToken(options.stateDir);
    const bridge = new Bridge(options);
    try {
      bridge.#ready = await bridge.#readyLine();
      bridge.#token = (await readFile(bridge.#ready.token_file, 'utf8')).trim();
    } catch (error) {
      await bridge.kill();
      throw new Error(`synthesis up: ${(error as Error).message}\n${bridge.log}`);
    }
    return bridge;
  }

  /** `http://127.0.0.1:<port>` */
  get url(): string {
    return this.#ready?.url ?? '';
  }

  /** Base of `/v1` with the token that a client needs. */
  get provider(): { baseUrl: string; apiKey: string } {
    return { baseUrl: `${this.url}/v1`, apiKey: this.#token };
  }

  /** What a plain OpenAI client does, without the retries that would hide a failure. */
  get openai(): OpenAI {
    const { baseUrl, apiKey } = this.provider;
    return new OpenAI({ baseURL: baseUrl, apiKey, maxRetries: 0, timeout: 120_000 });
  }

  /** Everything printed since the start, both streams. */
  get log(): string {
    return this.#log.join('');
  }

  /** Sends one message of `session` and returns the whole answer. */
  async ask(session: string, content: string): Promise<string> {
    const answer = await this.openai.chat.completions.create(
      { model: 'claude', messages: [{ role: 'user', content }] },
      { headers: { 'x-synthesis-session': session } },
    );
    return answer.choices[0]?.message.content ?? '';
  }

  /** Runs another command of `synthesis` against this bridge. @throws when it exits with anything but 0 */
  async command(...args: string[]): Promise<string> {
    const { env, stateDir } = this.#options;
    const { stdout } = await execa(process.execPath, [program, ...args, '--state-dir', stateDir], {
      env: { ...env, ...operatorEnv, ...cache },
      extendEnv: false,
      cwd: dirname(stateDir),
      timeout: 120_000,
    });
    return stdout;
  }

  /** As the kernel's out-of-memory killer would: no warning, no chance to write anything. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** First Ctrl-C: the bridge ends its sessions and leaves by itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    await this.#end('SIGINT');
    clearTimeout(timer);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
  }

  /** @throws when the process ends or 60 s pass before the line */
  async #readyLine(): Promise<Ready> {
    const { stdout } = this.#child;
    if (!stdout) throw new Error('no stdout');
    const { promise, resolve, reject } = Promise.withResolvers<Ready>();
    const timer = setTimeout(() => reject(new Error('no ready line within 60 s')), 60_000);
    createInterface({ input: stdout })
      .on('line', (line) => {
        this.#log.push(`${line}\n`);
        const message = JSON.parse(line) as Ready;
        if (message.event === 'ready') resolve(message);
      })
      .on('close', () => reject(new Error('it ended before it was ready')));
    return promise.finally(() => clearTimeout(timer));
  }
}

/** Where a bridge of a test keeps its state. */
export const stateDirOf = (home: string): string => join(home, 'state');
