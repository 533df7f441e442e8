// Who is at the other end of a connection to the port of HTTP: found by the socket that the kernel names there, and the
// process that has it. The token proves which hub asks; Claude's shell can read it, and is told from the hub by this.
import type { Socket } from 'node:net';
import { identityOf, isAlive, type ProcessIdentity } from '../../base/process/process-identity.ts';
import { allProcesses } from '../../base/process/process-table.ts';
import { holdsSocket, tcpRow } from '../../base/process/tcp-table.ts';
import { type Caller, judgeCaller } from '../../domain/caller/caller.ts';
import type { FactsReader } from './caller-facts.ts';

/** Programs that are looked at first: hubs stay. */
const maxKnown = 8;

export class HttpPeers {
  readonly #facts: FactsReader;
  /** Who had a connection before, the newest last. */
  readonly #known = new Map<number, ProcessIdentity>();
  readonly #callers = new WeakMap<Socket, Caller>();

  constructor(facts: FactsReader) {
    this.#facts = facts;
  }

  /** @returns undefined when it comes from another user, whose processes cannot be looked at */
  callerOn(socket: Socket): Caller | undefined {
    const known = this.#callers.get(socket);
    if (known) return known;
    const caller = this.#look(socket);
    if (caller) this.#callers.set(socket, caller);
    return caller;
  }

  #look({ localAddress, localPort, remoteAddress, remotePort }: Socket): Caller | undefined {
    if (!localAddress || !localPort || !remoteAddress || !remotePort) return gone;
    const row = tcpRow(
      { address: remoteAddress, port: remotePort },
      { address: localAddress, port: localPort },
    );
    // Without a row it has just ended, and nobody reads what it is answered.
    if (!row) return gone;
    if (row.uid !== process.getuid?.()) return undefined;
    const holder = row.inode === 0 ? undefined : this.#holderOf(row.inode);
    if (holder === undefined) return gone;
    this.#remember(holder);
    return judgeCaller(this.#facts.read(holder));
  }

  #holderOf(inode: number): number | undefined {
    const known = [...this.#known.values()].filter(isAlive).map(({ pid }) => pid);
    return [...known.reverse(), ...allProcesses()].find((pid) => holdsSocket(pid, inode));
  }

  #remember(pid: number): void {
    this.#known.delete(pid);
    this.#known.set(pid, identityOf(pid));
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }
}

/**
 * A socket that no process has any more, or that is on its way from one to another: an honest client keeps it until it is
 * answered.
 */
const gone: Caller = {
  kind: 'unknown',
  why: 'no program that can be looked at has the connection',
  from: 'an unknown program',
};
