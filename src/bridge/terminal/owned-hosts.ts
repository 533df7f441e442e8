// Hosts that this bridge has had, for as long as their processes live: also one that is just ended still has a Claude Code
// below it, and what that has started.
import { isAlive, type ProcessIdentity } from '../../base/process/process-identity.ts';

export class OwnedHosts {
  readonly #hosts = new Map<number, { process: ProcessIdentity; folder: string }>();

  /** @param folder name of the session's */
  add(process: ProcessIdentity, folder: string): void {
    this.#hosts.set(process.pid, { process, folder });
  }

  /** Returns those that live: pid → name of the session's folder. */
  readonly living = (): ReadonlyMap<number, string> => {
    const living = new Map<number, string>();
    for (const [pid, { process, folder }] of this.#hosts) {
      if (isAlive(process)) living.set(pid, folder);
      else this.#hosts.delete(pid);
    }
    return living;
  };
}
