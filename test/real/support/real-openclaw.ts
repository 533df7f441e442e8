// A real OpenClaw gateway on loopback, with nothing else of OpenClaw's user: own home, own token, no updates.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { lastingPort } from '../../support/lasting-port.ts';
import { killAt } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { type AgentResult, runAgent } from './gateway-agent.ts';
import type { KnownGateway } from './known-gateway.ts';
import { cleanEnv, openclawPath, versionOf } from './peers.ts';

export interface Provider {
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey: string;
}

export type Settings = Record<string, unknown>;

export interface OpenClawOptions {
  /** Added to the configuration one after the other; objects merge. */
  config?: Settings[];
  /** Whether channels and scheduled jobs run. Default false. */
  alive?: boolean;
  /** Default: any free port, any token. */
  gateway?: KnownGateway;
  /** Folders in front of those where it looks for programs. */
  path?: string[];
}

export const newToken = (): string => randomBytes(16).toString('hex');

/** The configuration of a user who has set up OpenClaw and no model. */
function basics(port: number, token: string, home: string): Settings {
  const workspace = join(home, '.openclaw/workspace');
  return {
    gateway: { mode: 'local', bind: 'loopback', port, auth: { mode: 'token', token } },
    update: { checkOnStart: false },
    telemetry: { enabled: false },
    logging: { file: join(home, 'openclaw.log') },
    cron: { enabled: false },
    agents: { defaults: { workspace, skipBootstrap: true } },
    models: { catalogRefresh: { enabled: false } },
  };
}

/** What registering the provider adds. */
function registered(provider: Provider): Settings {
  return {
    agents: { defaults: { model: { primary: 'synthesis/claude' } } },
    models: {
      providers: {
        synthesis: {
          ...provider,
          api: 'openai-completions',
          headers: { 'x-openclaw-provider': 'synthesis' },
          models: [
            {
              id: 'claude',
              name: 'Claude (synthesis)',
              reasoning: false,
              input: ['text', 'image'],
              cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              contextWindow: 200_000,
              maxTokens: 32_000,
              compat: { supportsPromptCacheKey: true, sendSessionAffinityHeaders: true },
            },
          ],
        },
      },
    },
  };
}

const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(a: Settings, b: Settings): Settings {
  const all = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = all[key];
    all[key] = isSettings(before) && isSettings(value) ? merged(before, value) : value;
  }
  return all;
}

/**
 * OpenClaw gives its own start up when writing its lease takes more than 5 s, as on a machine that has other things to do;
 * whatever keeps it running starts it again.
 */
const lateStart = 'state lease heartbeat did not become ready';

export class RealOpenClaw implements AsyncDisposable {
  readonly #env: Record<string, string>;
  readonly #port: number;
  readonly #log: string[] = [];
  readonly token: string;
  #gateway: ReturnType<typeof spawn> | undefined;

  private constructor(env: Record<string, string>, port: number, token: string) {
    this.#env = env;
    this.#port = port;
    this.token = token;
  }

  /**
   * Starts a gateway and waits until it is ready to serve.
   *
   * @param home isolated home directory
   * @param provider its only model; undefined for an OpenClaw that has none yet
   */
  static async start(
    home: string,
    provider: Provider | undefined,
    { config = [], alive = false, gateway, path = [] }: OpenClawOptions = {},
  ): Promise<RealOpenClaw> {
    const { port, token } = gateway ?? { port: await lastingPort(), token: newToken() };
    await mkdir(join(home, '.openclaw/workspace'), { recursive: true });
    const settings = merged(basics(port, token, home), provider ? registered(provider) : {});
    const file = join(home, '.openclaw/openclaw.json');
    await writeFile(file, JSON.stringify(config.reduce(merged, settings)), { mode: 0o600 });
    const env = cleanEnv(home, {
      OPENCLAW_GATEWAY_TOKEN: token,
      OPENCLAW_NO_AUTO_UPDATE: '1',
      OPENCLAW_DISABLE_BONJOUR: '1',
      OPENCLAW_NO_RESPAWN: '1',
      OPENCLAW_EXEC_SHELL_SNAPSHOT: '0',
      DO_NOT_TRACK: '1',
      CI: 'true',
      // Megabytes of JavaScript: its users have what Node compiled of them from the second start on. A launcher that finds
      // no folder of its own release there starts Node a second time, for every command, unless it is told that it has.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache/openclaw', versionOf('openclaw')),
      OPENCLAW_PACKAGED_COMPILE_CACHE_RESPAWNED: '1',
      ...(!alive && { OPENCLAW_SKIP_CHANNELS: '1', OPENCLAW_SKIP_CRON: '1' }),
    });
    env.PATH = [...path, env.PATH].join(delimiter);
    const openclaw = new RealOpenClaw(env, port, token);
    await openclaw.#run();
    return openclaw;
  }

  /** `http://127.0.0.1:<port>` */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What the gateway has printed. */
  get log(): string {
    return this.#log.join('');
  }

  /** Environment of commands that mean this OpenClaw. */
  get env(): Record<string, string> {
    return this.#env;
  }

  /** Ends the gateway in order and starts it again on the same home. */
  async restart(): Promise<void> {
    await this.#end();
    await this.#run();
  }

  /** Kills the gateway without warning and starts it again on the same home. */
  async crash(): Promise<void> {
    await this.#end('SIGKILL');
    await this.#run();
  }

  /** Runs `openclaw agent` as a user would. @returns the text that was answered */
  async agent(sessionKey: string, message: string): Promise<string> {
    const { stdout } = await this.run(['agent', '--session-key', sessionKey, '--message', message, '--json']);
    return answerOf(stdout);
  }

  /** The same of the gateway, without the command: that takes two seconds of a processor to start. */
  async say(sessionKey: string, message: string): Promise<string> {
    return textOf(await runAgent({ url: this.url, token: this.token }, sessionKey, message));
  }

  /** Calls a method of the gateway over its socket. */
  async call(method: string, params: object): Promise<unknown> {
    const args = ['gateway', 'call', method, '--params', JSON.stringify(params), '--json'];
    const { stdout } = await this.run(args);
    return JSON.parse(stdout);
  }

  /** Runs the `openclaw` command in the gateway's home. @throws when it exits with anything but 0 */
  async run(args: string[]): Promise<{ stdout: string; stderr: string }> {
    return execa(openclawPath(), args, {
      env: this.#env,
      extendEnv: false,
      cwd: this.#env.HOME ?? '/',
      timeout: 150_000,
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end();
  }

  /** @param tries left */
  async #run(tries = 2): Promise<void> {
    const from = this.log.length;
    const gateway = spawn(openclawPath(), ['gateway'], {
      env: this.#env,
      cwd: this.#env.HOME,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#gateway = gateway;
    for (const stream of [gateway.stdout, gateway.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#log.push(text));
    }
    try {
      // It starts for 15 s and more, and each look takes some of its time and of ours.
      await until('the OpenClaw gateway', () => this.#ready(gateway), 140_000, 100);
    } catch (error) {
      await this.#end();
      if (tries > 1 && this.log.slice(from).includes(lateStart)) return this.#run(tries - 1);
      throw new Error(`${(error as Error).message}\n${this.log}`);
    }
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const gateway = this.#gateway;
    if (!gateway || gateway.exitCode !== null || gateway.signalCode !== null) return;
    const exited = once(gateway, 'exit');
    if (signal === 'SIGTERM') gateway.kill(signal);
    else await this.#kill();
    const timer = setTimeout(() => void this.#kill(), 10_000);
    await exited;
    clearTimeout(timer);
  }

  /** And what it has started, which would not end with it. */
  #kill(): Promise<void> {
    return killAt(this.#env.HOME ?? '');
  }

  async #ready(gateway: ReturnType<typeof spawn>): Promise<boolean> {
    if (gateway.exitCode !== null) throw new Error(`the gateway exited with ${gateway.exitCode}`);
    try {
      if ((await fetch(`${this.url}/readyz`)).ok) return true;
    } catch {
      // Nobody listens there yet.
    }
    return false;
  }
}

/** The answer's text in what `openclaw agent --json` prints. */
function answerOf(stdout: string): string {
  const { result } = JSON.parse(stdout) as { result?: AgentResult };
  return textOf(result ?? {});
}

const textOf = ({ payloads = [] }: AgentResult): string => payloads.map(({ text = '' }) => text).join('\n');
