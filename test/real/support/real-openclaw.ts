// A real OpenClaw gateway on loopback, with nothing else of OpenClaw's user: own home, own token, no channels, no updates.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { until } from '../../support/until.ts';
import { cleanEnv, openclawPath } from './peers.ts';

export interface Provider {
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey: string;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** The configuration a user has after registering the provider, in OpenClaw's own words. */
function config(provider: Provider, port: number, token: string, home: string) {
  const workspace = join(home, '.openclaw/workspace');
  return {
    gateway: { mode: 'local', bind: 'loopback', port, auth: { mode: 'token', token } },
    update: { checkOnStart: false },
    telemetry: { enabled: false },
    logging: { file: join(home, 'openclaw.log') },
    cron: { enabled: false },
    agents: { defaults: { workspace, model: { primary: 'synthesis/claude' }, skipBootstrap: true } },
    models: {
      catalogRefresh: { enabled: false },
      providers: {
        synthesis: {
          ...provider,
          api: 'openai-completions',
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

export class RealOpenClaw implements AsyncDisposable {
  readonly #env: Record<string, string>;
  readonly #gateway: ReturnType<typeof spawn>;
  readonly #log: string[] = [];

  private constructor(env: Record<string, string>) {
    this.#env = env;
    this.#gateway = spawn(openclawPath(), ['gateway'], {
      env,
      cwd: env.HOME,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#gateway.stdout, this.#gateway.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#log.push(text));
    }
  }

  /**
   * Starts a gateway whose only model is `provider`, and waits until it is ready to serve.
   *
   * @param home isolated home directory
   */
  static async start(home: string, provider: Provider): Promise<RealOpenClaw> {
    const port = await freePort();
    const token = randomBytes(16).toString('hex');
    await mkdir(join(home, '.openclaw/workspace'), { recursive: true });
    await writeFile(
      join(home, '.openclaw/openclaw.json'),
      JSON.stringify(config(provider, port, token, home)),
      { mode: 0o600 },
    );
    const env = cleanEnv(home, {
      OPENCLAW_GATEWAY_TOKEN: token,
      OPENCLAW_NO_AUTO_UPDATE: '1',
      OPENCLAW_DISABLE_BONJOUR: '1',
      OPENCLAW_NO_RESPAWN: '1',
      OPENCLAW_EXEC_SHELL_SNAPSHOT: '0',
      OPENCLAW_SKIP_CHANNELS: '1',
      OPENCLAW_SKIP_CRON: '1',
      DO_NOT_TRACK: '1',
      CI: 'true',
    });
    const openclaw = new RealOpenClaw(env);
    try {
      await until('the OpenClaw gateway', () => openclaw.#ready(port), 90_000);
    } catch (error) {
      await openclaw[Symbol.asyncDispose]();
      throw new Error(`${(error as Error).message}\n${openclaw.log}`);
    }
    return openclaw;
  }

  /** What the gateway has printed. */
  get log(): string {
    return this.#log.join('');
  }

  /** Runs `openclaw agent` as a user would. @returns the text that was answered */
  async agent(sessionKey: string, message: string): Promise<string> {
    const { stdout } = await this.run(['agent', '--session-key', sessionKey, '--message', message, '--json']);
    return answerOf(stdout);
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

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#gateway.exitCode !== null || this.#gateway.signalCode !== null) return;
    const exited = once(this.#gateway, 'exit');
    this.#gateway.kill('SIGTERM');
    const timer = setTimeout(() => this.#gateway.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(timer);
  }

  async #ready(port: number): Promise<boolean> {
    if (this.#gateway.exitCode !== null) throw new Error(`the gateway exited with ${this.#gateway.exitCode}`);
    try {
      return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    } catch {
      return false;
    }
  }
}

/** The answer's text in what `openclaw agent --json` prints. */
function answerOf(stdout: string): string {
  const { result } = JSON.parse(stdout) as { result?: { payloads?: { text?: string }[] } };
  return (result?.payloads ?? []).map((payload) => payload.text ?? '').join('\n');
}
