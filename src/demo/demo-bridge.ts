import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bridge } from '../bridge/main.ts';
import { Config } from '../protocol/config.ts';
import { makeDemoFolder, removeDeadDemos } from './demo-folder.ts';

const simulatedClaude = fileURLToPath(new URL('../../dist/demo/claude.js', import.meta.url));

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A bridge with the simulated Claude Code, in a folder of its own. Nothing of either is left, whatever ends the demo. */
export class DemoBridge implements AsyncDisposable {
  readonly home = makeDemoFolder();
  /** Resolves when somebody wants the demo to end: Ctrl-C, or a signal. */
  readonly left: Promise<void>;
  readonly #leave: () => void;
  #bridge: Bridge | undefined;

  private constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.left = promise;
    this.#leave = () => resolve();
    // Until the end, so that a second Ctrl-C cuts nothing short: what is closed has deadlines.
    for (const signal of signals) process.on(signal, this.#leave);
  }

  static async start(): Promise<DemoBridge> {
    await removeDeadDemos();
    const demo = new DemoBridge();
    try {
      demo.#bridge = await startIn(demo.home);
      return demo;
    } catch (error) {
      await demo[Symbol.asyncDispose]();
      throw error;
    }
  }

  get bridge(): Bridge {
    if (!this.#bridge) throw new Error('the bridge of the demo has not started');
    return this.#bridge;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#bridge?.close('the demo is over');
    } finally {
      rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
      for (const signal of signals) process.off(signal, this.#leave);
    }
  }
}

async function startIn(home: string): Promise<Bridge> {
  const { startBridge } = await import('../bridge/main.ts');
  const config = Config.parse({
    port: 0,
    claude: simulatedClaude,
    cwd: home,
    delivery: 'channel',
    channels: { development: true },
    // Of a demo that is killed nothing goes on: no bridge comes back for it.
    hosts: { graceMs: 1_000 },
    // It only looks. Without a rule a tool that nobody knows asks first.
    policy: [{ tool: 'weather', decision: 'allow' }],
  });
  return startBridge({
    config: { ...config, cwd: home },
    stateDir: join(home, 'state'),
    controlPath: join(home, 'control.sock'),
    version: 'demo',
    env: { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude') },
    onRow: () => {},
  });
}
