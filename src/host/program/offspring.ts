// All that runs below the host: what its program started, and what that left behind, however it detached itself. The host
// stays the parent of it as its reaper; what was handed to another program, such as atd, is known by its mark (0055).
import type { Socket } from 'node:net';
import { fdOf } from '../../base/net/socket-fd.ts';
import {
  carefulLooks,
  type EndedProcess,
  endProcesses,
  hasEnded,
  startedWith,
} from '../../base/process/end-processes.ts';
import type { Kernel } from '../../base/process/kernel.ts';
import {
  ancestryOf,
  childrenOf,
  eachDescendant,
  lookAt,
  startVariable,
} from '../../base/process/process-table.ts';
import { runVariable } from '../../base/process/run-mark.ts';

export class Offspring implements Disposable {
  readonly #kernel: Kernel | undefined;
  readonly #mark: string;
  readonly #reap = () => this.#reapOrphans();
  /** The program's own process, which node-pty waits for. The host starts no other. */
  program: number | undefined;

  /**
   * Becomes the reaper of this process's descendants.
   * @param mark what the environment of the program says of its run
   * @param kernel undefined where it cannot be asked: what detaches itself is found by its mark alone then
   */
  constructor(mark: string, kernel: Kernel | undefined) {
    this.#mark = mark;
    this.#kernel = kernel;
    if (kernel?.adoptOrphans()) process.on('SIGCHLD', this.#reap);
  }

  /**
   * Ends all of it, with what is marked as of it.
   * @returns what had left the program's group, and would have gone on: what is in it ends with the program in any case
   */
  end(): EndedProcess[] {
    const below = endProcesses(() => this.#each(), carefulLooks);
    // Reads the environment of every process of the user: once the fast ones are gone.
    const elsewhere = endProcesses(() => startedWith(runVariable, this.#mark));
    return [...below, ...elsewhere].filter(({ group }) => group !== this.program);
  }

  /** Returns whether it is one of these that has connected to a local socket of this process. */
  hasConnected(socket: Socket): boolean {
    const fd = fdOf(socket);
    const pid = fd === undefined ? undefined : this.#kernel?.peerOf(fd);
    if (pid === undefined) return false;
    const chain = ancestryOf(pid).map((each) => each.pid);
    return (
      chain.includes(process.pid) || chain.some((each) => startVariable(each, runVariable) === this.#mark)
    );
  }

  [Symbol.dispose](): void {
    process.off('SIGCHLD', this.#reap);
  }

  /** What has ended is no child any more then: thousands of them would make every look slower. */
  #each(): Generator<number> {
    return eachDescendant(process.pid, (pid) => pid !== this.program && this.#kernel?.reap(pid) === true);
  }

  /** An ended orphan keeps its number until its parent has asked how it ended. */
  #reapOrphans(): void {
    for (const pid of childrenOf(process.pid)) {
      if (pid === this.program) continue;
      const facts = lookAt(pid);
      if (facts && hasEnded(facts)) this.#kernel?.reap(pid);
    }
  }
}
