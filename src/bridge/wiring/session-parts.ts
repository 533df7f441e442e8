// What only sessions need is not loaded with the bridge: it is ready a tenth sooner.
import { systemClock } from '../../base/time/clock.ts';
import type { JournalRow } from '../../protocol/events/events.ts';
import type { StartHost } from '../claude/host-port.ts';
import { loadExeca } from '../claude/process/preflight.ts';
import { loadMcpServer } from '../claude/tools/served-tools.ts';
import { hostProgram } from '../programs.ts';
import type { HostStarter } from '../terminal/host-starter.ts';
import type { OwnedHosts } from '../terminal/owned-hosts.ts';
import { Scopes, type ScopesOptions } from '../terminal/scopes.ts';

/** From the ready line to the start of the first spare host, ms: what goes on at a start has the processors first. */
const spareMs = 1_000;

export interface SessionPartsOptions extends ScopesOptions {
  /** Whether one host is started before it is wanted. */
  spare: boolean;
  stateDir: string;
  /** What hosts of this state folder are told to know their bridge by. */
  secret: string;
  /** Is told of each host. */
  hosts: OwnedHosts;
}

export class SessionParts {
  readonly #options: SessionPartsOptions;
  #starter: HostStarter | undefined;
  #isOver = false;

  /** @param options `env` of the bridge */
  constructor(options: SessionPartsOptions) {
    this.#options = options;
  }

  /** Loads the start of hosts. */
  readonly loadHosts = async (): Promise<StartHost> => (await this.#load()).start;

  /**
   * Once the bridge is ready, so that the first session need not wait, and an update of the package under a running bridge
   * takes nothing away. What cannot be loaded is said when a session needs it.
   * @param isAtRest whether a panic holds by then: no process is to wait for anything
   */
  async load(isAtRest: () => boolean): Promise<void> {
    await Promise.allSettled([this.#load(), loadExeca(), loadMcpServer()]);
    if (!isAtRest()) this.#starter?.spare?.want(spareMs);
  }

  /** Give it every row. */
  observe({ event }: Pick<JournalRow, 'event'>): void {
    if (event.type === 'bridge.panicked') void this.#starter?.spare?.end();
    if (event.type === 'bridge.resumed') this.#starter?.spare?.want(spareMs);
  }

  /** The spare host ends; hosts of sessions stay. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#starter?.spare?.close();
  }

  async #load(): Promise<HostStarter> {
    const { HostStarter } = await import('../terminal/host-starter.ts');
    const { env, log, spare, hosts, stateDir, secret } = this.#options;
    this.#starter ??= new HostStarter(
      {
        clock: systemClock,
        scopes: new Scopes({ env, log }),
        program: hostProgram,
        nodePath: process.execPath,
        stateDir,
        secret,
        log,
        hosts,
      },
      spare && !this.#isOver,
    );
    return this.#starter;
  }
}
