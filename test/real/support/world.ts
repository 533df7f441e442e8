// One person's machine: a home, a project folder, a scripted model and a running bridge with the real Claude Code.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastingPort } from '../../support/lasting-port.ts';
import { killAt } from '../../support/processes.ts';
import { Bridge, type BridgeOptions, stateDirOf } from './bridge.ts';
import { answerFirstRun, claudeEnv } from './claude-home.ts';
import { type IsolatedHome, isolatedHome } from './isolated-home.ts';
import { type KnownGateway, knowGateway } from './known-gateway.ts';
import { MessagesApi } from './messages-api.ts';

export interface WorldOptions {
  /** Whether the person has said that the project folder is theirs. Default true. */
  trusted?: boolean;
  /** Added to the environment of the bridge. */
  env?: Record<string, string>;
  /** Variables to leave out, such as the credentials. */
  without?: string[];
  claude?: string;
  delivery?: BridgeOptions['delivery'];
  /** Working directory of the sessions, below the home. Default `work/project`. */
  cwd?: string;
  /** Content of the bridge's configuration file. */
  config?: object;
  gateway?: KnownGateway;
}

export class World implements AsyncDisposable {
  readonly home: IsolatedHome;
  readonly api: MessagesApi;
  /** Working directory of the sessions. */
  readonly cwd: string;
  readonly #options: BridgeOptions;
  #bridge: Bridge;

  private constructor(home: IsolatedHome, api: MessagesApi, options: BridgeOptions, bridge: Bridge) {
    this.home = home;
    this.api = api;
    this.cwd = options.cwd;
    this.#options = options;
    this.#bridge = bridge;
  }

  static async start(name: string, options: WorldOptions = {}): Promise<World> {
    await using stack = new AsyncDisposableStack();
    const home = stack.use(await isolatedHome(name));
    const cwd = await home.directory(options.cwd ?? 'work/project');
    await answerFirstRun(home.path, (options.trusted ?? true) ? [cwd] : []);
    const { config, gateway } = options;
    if (config || gateway) {
      const directory = await home.directory('.config/synthesis');
      const whole = { ...config, ...(await knowGateway(directory, gateway)) };
      await writeFile(join(directory, 'config.json'), JSON.stringify(whole));
    }
    const api = stack.use(await MessagesApi.start());
    const env = claudeEnv(home.path, api.url, options.env);
    for (const variable of options.without ?? []) delete env[variable];
    const bridgeOptions = {
      env,
      cwd,
      stateDir: stateDirOf(home.path),
      // A Claude Code that outlives its bridge looks for the next one where that was.
      port: await lastingPort(),
      ...(options.claude && { claude: options.claude }),
      ...(options.delivery && { delivery: options.delivery }),
    };
    const world = new World(home, api, bridgeOptions, await Bridge.up(bridgeOptions));
    stack.move();
    return world;
  }

  /** The bridge that runs now. */
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

  /** Loses power: bridge, hosts and Claude Codes end at once. */
  async kill(): Promise<void> {
    await killAt(this.home.path);
    await this.#bridge.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bridge[Symbol.asyncDispose]();
    await this.api[Symbol.asyncDispose]();
    await this.home[Symbol.asyncDispose]();
  }
}
