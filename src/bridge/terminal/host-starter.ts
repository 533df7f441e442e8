// What starts the hosts of a bridge. Loaded behind its ready line.
import { SpareHost, type SpareHostOptions } from './spare-host.ts';
import { startHost } from './start-host.ts';

export class HostStarter {
  /** Undefined: none is wanted. */
  readonly spare: SpareHost | undefined;
  readonly #options: SpareHostOptions;

  constructor(options: SpareHostOptions, isSpared: boolean) {
    this.#options = options;
    this.spare = isSpared ? new SpareHost(options) : undefined;
  }

  /** As `startHost`. */
  readonly start = (dir: string, run: string) =>
    startHost({ ...this.#options, ...(this.spare && { spare: this.spare }) }, dir, run);
}
