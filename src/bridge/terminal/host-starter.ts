// What starts the hosts of a bridge. Loaded behind its ready line.
import { basename } from 'node:path';
import type { Hosted } from './hosted.ts';
import type { OwnedHosts } from './owned-hosts.ts';
import { SpareHost, type SpareHostOptions } from './spare-host.ts';
import { startHost } from './start-host.ts';

export interface HostStarterOptions extends SpareHostOptions {
  /** Is told of each before anything runs in it. */
  hosts: OwnedHosts;
}

export class HostStarter {
  /** Undefined: none is wanted. */
  readonly spare: SpareHost | undefined;
  readonly #options: HostStarterOptions;

  constructor(options: HostStarterOptions, isSpared: boolean) {
    this.#options = options;
    this.spare = isSpared ? new SpareHost(options) : undefined;
  }

  /** As `startHost`. */
  readonly start = async (dir: string, run: string): Promise<Hosted> => {
    const host = await startHost({ ...this.#options, ...(this.spare && { spare: this.spare }) }, dir, run);
    this.#options.hosts.add(host.process, basename(dir));
    return host;
  };
}
