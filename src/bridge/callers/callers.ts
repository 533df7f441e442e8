// Tells who is at the other end of a connection on this machine (decision 0055). The kernel names the process that connected;
// nothing that it says of itself counts.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { fdOf } from '../../base/net/socket-fd.ts';
import type { Kernel } from '../../base/process/kernel.ts';
import { identityOf, isAlive, type ProcessIdentity } from '../../base/process/process-identity.ts';
import { type Caller, judgeCaller } from '../../domain/caller/caller.ts';
import type { FactsReader } from './caller-facts.ts';
import { HttpPeers } from './http-peers.ts';

export interface CallersOptions {
  /** Undefined where the system cannot be asked. */
  kernel: Kernel | undefined;
  facts: FactsReader;
}

export class Callers {
  readonly #kernel: Kernel | undefined;
  readonly #facts: FactsReader;
  readonly #http: HttpPeers;

  constructor({ kernel, facts }: CallersOptions) {
    this.#kernel = kernel;
    this.#facts = facts;
    this.#http = new HttpPeers(facts);
  }

  /** Returns who connected to a local socket, looked at anew by each call: a process may get another parent meanwhile. */
  onLocal(socket: Duplex): () => Caller {
    const fd = fdOf(socket);
    const pid = fd === undefined ? undefined : this.#kernel?.peerOf(fd);
    const peer = pid === undefined ? undefined : identityOf(pid);
    return () => (this.#kernel ? this.#judge(peer) : untold);
  }

  /** Returns who is at the other end of a connection to the port; undefined for another user, and where nothing tells. */
  onPort(socket: Socket): Caller | undefined {
    return process.platform === 'linux' ? this.#http.callerOn(socket) : undefined;
  }

  #judge(peer: ProcessIdentity | undefined): Caller {
    // Another process may have its number by now.
    const isThere = peer !== undefined && isAlive(peer);
    return judgeCaller(isThere ? this.#facts.read(peer.pid) : { chain: [] });
  }
}

const untold: Caller = {
  kind: 'unknown',
  why: 'this system does not tell which program calls',
  from: 'an unknown program',
};
