// The bridge with the simulated Claude behind it: for tests whose subject is OpenClaw.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lastingPort } from '../../support/lasting-port.ts';
import { Bridge, type BridgeOptions, stateDirOf } from './bridge.ts';
import { type IsolatedHome, isolatedHome } from './isolated-home.ts';
import { type KnownGateway, knowGateway } from './known-gateway.ts';
import { cleanEnv } from './peers.ts';

const simulatedClaude = resolve(import.meta.dirname, '../../../dist/demo/claude.js');

export interface SimulatedBridgeOptions {
  /** Content of the configuration file. */
  config?: Record<string, unknown>;
  gateway?: KnownGateway;
}

export class SimulatedBridge implements AsyncDisposable {
  readonly home: IsolatedHome;
  readonly #options: BridgeOptions;
  #bridge: Bridge;

  private constructor(home: IsolatedHome, options: BridgeOptions, bridge: Bridge) {
    this.home = home;
    this.#options = options;
    this.#bridge = bridge;
  }

  static async start(
    name: string,
    { config, gateway }: SimulatedBridgeOptions = {},
  ): Promise<SimulatedBridge> {
    const home = await isolatedHome(name);
    const directory = await home.directory('.config/synthesis');
    const whole = { ...config, ...(await knowGateway(directory, gateway)) };
    await writeFile(join(directory, 'config.json'), JSON.stringify(whole));
    const options = {
      env: cleanEnv(home.path),
      cwd: await home.directory('work/project'),
      stateDir: stateDirOf(home.path),
      claude: simulatedClaude,
      port: await lastingPort(),
    };
    return new SimulatedBridge(home, options, await Bridge.up(options));
  }

  get bridge(): Bridge {
    return this.#bridge;
  }

  get stateDir(): string {
    return this.#options.stateDir;
  }

  /** Kills the bridge without warning and starts another one on the same state. */
  async crash(): Promise<void> {
    await this.#bridge.kill();
    this.#bridge = await Bridge.up(this.#options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bridge[Symbol.asyncDispose]();
    await this.home[Symbol.asyncDispose]();
  }
}
