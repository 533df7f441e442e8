// What the system says of a process that calls: its ancestry, the marks of our runs in it, and the login that it runs in.

import {
  allProcesses,
  ancestryOf,
  cgroupOf,
  commandOf,
  type ProcessFacts,
  startVariable,
  terminalName,
} from '../../base/process/process-table.ts';
import { isMarkOf, runVariable } from '../../base/process/run-mark.ts';
import { holdsSocket, tcpRow } from '../../base/process/tcp-table.ts';
import type { Ancestor, Caller, CallerFacts, Login } from '../../domain/caller/caller.ts';
import { judgeCaller } from '../../domain/caller/caller.ts';

export interface FactsOptions {
  /** The folder of the sessions' folders. */
  sessions: string;
  /** Living hosts: pid → name of the session's folder. */
  hosts(): ReadonlyMap<number, string>;
}

/** Logins from this machine to itself that are followed, one inside of another. */
const maxLogins = 4;

export class FactsReader {
  readonly #options: FactsOptions;

  constructor(options: FactsOptions) {
    this.#options = options;
  }

  read(pid: number, depth = 0): CallerFacts {
    const processes = ancestryOf(pid);
    const chain = this.#chainOf(processes);
    return { chain, login: this.#loginOf(processes, depth) };
  }

  #chainOf(processes: readonly ProcessFacts[]): Ancestor[] {
    const hosts = this.#options.hosts();
    const scopes = scopesOf(hosts.keys());
    return processes.map((each) => ({
      pid: each.pid,
      command: commandOf(each),
      terminal: terminalName(each.terminal),
      host: hosts.get(each.pid),
      isMarked: this.#isMarked(each.pid) || scopes.has(cgroupOf(each.pid)),
    }));
  }

  #isMarked(pid: number): boolean {
    const mark = startVariable(pid, runVariable);
    return mark !== undefined && isMarkOf(this.#options.sessions, mark);
  }

  /** The daemon itself belongs to somebody else and tells nothing; what it started was told where the login comes from. */
  #loginOf(processes: readonly ProcessFacts[], depth: number): Login | undefined {
    const at = processes.findIndex(({ name }) => name === 'sshd' || name.startsWith('sshd-'));
    if (at < 0) return undefined;
    const told = processes.slice(0, at).map(({ pid }) => startVariable(pid, 'SSH_CONNECTION'));
    const [address, port, own, ownPort] = told.find(Boolean)?.split(' ') ?? [];
    if (!address || !port || !own || !ownPort) return { name: 'unconfirmed' };
    const there = { address, port: Number(port) };
    const here = { address: own, port: Number(ownPort) };
    if (!tcpRow(here, there)) return { name: 'unconfirmed' };
    // The other end of it is in this machine's table as well when it is on this machine.
    const other = tcpRow(there, here);
    if (!other) return { name: 'remote', address };
    return depth < maxLogins
      ? { name: 'local', of: this.#holderOf(other.inode, depth + 1) }
      : { name: 'unconfirmed' };
  }

  #holderOf(inode: number, depth: number): Caller {
    const holder = inode === 0 ? undefined : allProcesses().find((pid) => holdsSocket(pid, inode));
    return judgeCaller(holder === undefined ? { chain: [] } : this.read(holder, depth));
  }
}

/** Units that hosts run in, where that says more than the unit of the bridge does. */
function scopesOf(hosts: Iterable<number>): Set<string> {
  const scopes = new Set([...hosts].map(cgroupOf).filter((each) => each.includes('/synthesis-host-')));
  if (scopes.size > 0) scopes.delete(cgroupOf(process.pid));
  return scopes;
}
