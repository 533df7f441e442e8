import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bridge } from '../bridge/main.ts';
import type { JournalRow } from '../protocol/events/events.ts';
import { Config } from '../protocol/settings/config.ts';
import type { Rule } from './claude/turn/brain.ts';
import { makeDemoFolder, removeDeadDemos } from './demo-folder.ts';
import { loadBridge } from './load-bridge.ts';

const simulatedClaude = fileURLToPath(new URL('../../dist/demo/claude.js', import.meta.url));

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface DemoOptions {
  /** Typed messages need a process less for each conversation. */
  delivery: 'channel' | 'terminal';
  /** Between two lines of an answer, ms. */
  lineMs?: number;
  /** Answers of the simulated Claude Code. */
  rules?(folder: string): readonly Rule[];
  /** What lies in the folder that it works in, by name. */
  files?: Readonly<Record<string, string>>;
  /** Sees every row of the journal. */
  onRow?(row: JournalRow): void;
}

/** A bridge with the simulated Claude Code, in a folder of its own. Nothing of either is left, whatever ends the demo. */
export class DemoBridge implements AsyncDisposable {
  readonly home = makeDemoFolder();
  /** Resolves when somebody wants the demo to end: Ctrl-C, or a signal. */
  readonly left: Promise<void>;
  readonly #leave: () => void;
  #bridge: Bridge | undefined;
  #isLeft = false;

  private constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.left = promise;
    this.#leave = () => {
      this.#isLeft = true;
      resolve();
    };
    // Until the end, so that a second Ctrl-C cuts nothing short: what is closed has deadlines.
    for (const signal of signals) process.on(signal, this.#leave);
  }

  static async start(options: DemoOptions): Promise<DemoBridge> {
    await removeDeadDemos();
    const demo = new DemoBridge();
    try {
      demo.#bridge = await startIn(demo, options);
      return demo;
    } catch (error) {
      await demo[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The bridge's state folder. */
  get state(): string {
    return join(this.home, 'state');
  }

  /** The folder that sessions work in. */
  get work(): string {
    return join(this.home, 'work');
  }

  /** Somebody wants it to end. */
  get isLeft(): boolean {
    return this.#isLeft;
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

async function startIn(
  { home, state: stateDir, work: cwd }: DemoBridge,
  { delivery, lineMs, rules, files = {}, onRow = () => {} }: DemoOptions,
): Promise<Bridge> {
  const { startBridge } = await loadBridge();
  mkdirSync(cwd);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  const script = join(home, 'rules.json');
  writeFileSync(script, JSON.stringify(rules?.(cwd) ?? []));
  const config = Config.parse({
    port: 0,
    claude: simulatedClaude,
    cwd,
    delivery,
    channels: { development: true },
    // Of a demo that is killed nothing goes on: no bridge comes back for it.
    hosts: { graceMs: 1_000 },
    // It only looks. Without a rule a tool that nobody knows asks first.
    policy: [{ tool: 'weather', decision: 'allow' }],
  });
  return startBridge({
    config: { ...config, cwd },
    stateDir,
    controlPath: join(home, 'control.sock'),
    version: 'demo',
    env: {
      ...process.env,
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      SIM_SCRIPT: script,
      ...(lineMs !== undefined && { SIM_LINE_MS: String(lineMs) }),
    },
    onRow,
  });
}
