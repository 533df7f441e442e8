// Who calls this bridge, for each of its doors.

import type { Socket } from 'node:net';
import { join } from 'node:path';
import { hashId } from '../../base/digest.ts';
import { loadKernel } from '../../base/process/kernel.ts';
import { systemClock } from '../../base/time/clock.ts';
import { type Caller, mayPost, type Right } from '../../domain/caller/caller.ts';
import type { Health } from '../../protocol/events/events.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { FactsReader } from '../callers/caller-facts.ts';
import { Callers } from '../callers/callers.ts';
import { Refusals } from '../callers/refusals.ts';
import { Guard, type GuardOptions, type ProofDesk } from '../control/guard.ts';
import { OwnedHosts } from '../terminal/owned-hosts.ts';

export interface CallersPartOptions {
  config: Pick<Config, 'operator'>;
  stateDir: string;
  dispatcher(): Dispatcher;
  /** Whether this is the secret of a token that may decide. */
  isProof(secret: string): boolean;
  /** What decisions are proven with; undefined where the configuration names none. */
  secret: { connect(): ProofDesk } | undefined;
}

export class CallersPart {
  readonly hosts = new OwnedHosts();
  readonly #options: CallersPartOptions;
  readonly #callers: Callers;
  readonly #refusals: Refusals;

  constructor(options: CallersPartOptions) {
    this.#options = options;
    const kernel = loadKernel();
    // Claude's shell could read the token and the keys of this process, and trace it.
    kernel?.hideMemory();
    const sessions = join(options.stateDir, 'sessions');
    this.#callers = new Callers({ kernel, facts: new FactsReader({ sessions, hosts: this.hosts.living }) });
    this.#refusals = new Refusals({
      clock: systemClock,
      keyOf: this.keyOf,
      record: ({ caller: { kind, why, from }, method, key }) =>
        options.dispatcher().record({
          type: 'bridge.refused',
          method,
          caller: kind,
          why,
          from,
          ...(key !== undefined && { of: key }),
        }),
      stop: (key, reason) => void options.dispatcher().dispatch(key, { type: 'session.stop', reason }),
    });
  }

  /** Returns the key of the session that has a folder. */
  readonly keyOf = (folder: string): string | undefined =>
    this.#options
      .dispatcher()
      .sessions()
      .find(({ key }) => hashId(key) === folder)?.key;

  /** What the operator has to see. */
  get health(): Health[] {
    return this.#refusals.health;
  }

  /** For a connection of the control socket. */
  readonly guardLocal = (socket: Socket): Guard => this.#guard(this.#callers.onLocal(socket));

  /** For one that another node has judged. */
  readonly guardFar = (node: string, may: Right = 'decide'): Guard => {
    const kind = may === 'decide' ? 'operator' : may === 'stop' ? 'claude' : 'unattended';
    const caller: Caller = { kind, why: `${node} has found so`, from: `node ${node}` };
    return this.#guard(() => caller);
  };

  /** Returns who may not write through the port although they show a token, and keeps it; undefined for everybody else. */
  readonly refusedOnPort = (socket: Socket, method: string): Caller | undefined => {
    const caller = this.#callers.onPort(socket);
    if (!caller || mayPost(caller, this.#trusts(caller))) return undefined;
    // One that has hung up meanwhile is nobody's attempt.
    if (caller.kind === 'claude' || !socket.destroyed) this.#refusals.add({ caller, method, isLook: false });
    return caller;
  };

  /** Where nothing can be told of anybody, nobody could decide at all. */
  #trusts({ kind }: Caller): boolean {
    const { unattended, unknown = process.platform === 'linux' ? 'refuse' : 'allow' } =
      this.#options.config.operator;
    return (kind === 'unknown' ? unknown : unattended) === 'allow';
  }

  #guard(caller: GuardOptions['caller']): Guard {
    const { secret, dispatcher } = this.#options;
    return new Guard({
      caller,
      trusts: (each) => this.#trusts(each),
      isProof: this.#options.isProof,
      refused: (refusal) => this.#refusals.add(refusal),
      secret: secret?.connect(),
      proven: ({ caller: { from }, method, by }) =>
        dispatcher().record({ type: 'bridge.proven', method, by, from }),
    });
  }
}
