// What an operator has done with other nodes: reached, brought conversations to, given up.
import type { Duplex } from 'node:stream';
import type { Right } from '../../domain/caller/caller.ts';
import type { Drained, NodeRow } from '../../domain/views/cluster.ts';
import { OperatorError } from '../app/operator/operator-error.ts';
import type { Homes } from './homes.ts';
import type { Members } from './members.ts';
import { drainAll } from './move/drain-all.ts';
import type { Moves } from './move/moves.ts';
import { serverTrouble } from './server-trouble.ts';

export interface NodeDeskOptions {
  node: string;
  /** Keys of all conversations that are here. */
  keys(): readonly string[];
  /** On which node the configuration wants a conversation. */
  pinOf(key: string): string | undefined;
  members: Pick<Members, 'rows' | 'join' | 'forget'>;
  homes: Pick<Homes, 'giveUp'>;
  /** What the servers keep of a conversation, but for where it lives. */
  erase(key: string): Promise<void>;
  moves: Pick<Moves, 'move'>;
  /** See `nodeDoubt`. */
  doubt(): string | undefined;
  /** Its operators' door. @throws when it cannot be reached, in words */
  dial(node: string, may: Right): Promise<Duplex>;
}

export class NodeDesk {
  readonly #options: NodeDeskOptions;
  #isDraining = false;

  constructor(options: NodeDeskOptions) {
    this.#options = options;
  }

  /** This node gives its conversations away, and begins none. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** For an operator of this machine. @throws OperatorError `no_such_node` or `node_away` */
  async dial(node: string, may: Right): Promise<Duplex> {
    this.#known(node);
    try {
      return await this.#options.dial(node, may);
    } catch (error) {
      throw new OperatorError(
        'node_away',
        `Node "${node}" does not answer: ${error instanceof Error ? error.message : String(error)}`,
        'What lives there is not lost. `synthesis cluster status` shows which nodes are there.',
      );
    }
  }

  /**
   * Brings a conversation to another node, as soon as it is idle.
   * @param ms for what runs in it to end
   * @throws OperatorError in words; then it stays here
   */
  async move(key: string, to: string, ms: number, signal: AbortSignal): Promise<void> {
    const { node, moves } = this.#options;
    const row = this.#known(to);
    if (to === node)
      throw new OperatorError('bad_request', `"${key}" lives on ${node} already.`, 'Name another node.');
    if (row.state === 'draining')
      throw new OperatorError(
        'node_away',
        `Node "${to}" gives its own conversations away.`,
        'Name another node.',
      );
    await moves.move(key, to, ms, signal);
  }

  /**
   * Brings every conversation to other nodes, and begins none here until the bridge is started again. Those that are to
   * live here stay.
   * @param ms for what runs in each to end
   */
  async drain(ms: number, signal: AbortSignal): Promise<Drained> {
    const { node, keys, pinOf, members, doubt } = this.#options;
    this.#isDraining = true;
    await members.join();
    return await drainAll(keys(), {
      targetOf: (key) => {
        const pin = pinOf(key);
        if (pin === node) return { stays: 'the configuration wants it here' };
        const to = pin ?? this.roomiest();
        return to === undefined
          ? { stays: `no other node is ${doubt() === undefined ? 'there' : 'known here now'}` }
          : { to };
      },
      move: (key, to) => this.move(key, to, ms, signal),
    });
  }

  /**
   * Gives up a node that is gone for good. If it comes back, it has what has not begun anew elsewhere.
   * @returns how many conversations lived there
   * @throws OperatorError `no_such_node`, `node_alive`, or `node_away` when the servers do not answer
   */
  async forget(node: string): Promise<number> {
    const { state } = this.#known(node);
    if (state !== 'away' && state !== 'stopped')
      throw new OperatorError(
        'node_alive',
        `Node "${node}" is there. Nothing was changed.`,
        'Bring its conversations away with `synthesis cluster drain`, and stop its bridge first.',
      );
    try {
      // Last: as long as it is listed, this can be done again.
      const count = await this.#options.homes.giveUp(node, this.#options.erase);
      await this.#options.members.forget(node);
      return count;
    } catch (error) {
      throw new OperatorError(
        'node_away',
        `The nats-servers did not do all of it: ${serverTrouble(error)}.`,
        'Run the same command again once they are there.',
      );
    }
  }

  /** The other node with the most free memory that takes conversations. */
  roomiest(): string | undefined {
    const alive = this.#options.members.rows().filter(({ state }) => state === 'alive');
    return alive.sort((a, b) => b.free_mb - a.free_mb)[0]?.node;
  }

  /** @throws OperatorError `no_such_node`; `node_away` when it may be one that is not known here */
  #known(node: string): NodeRow {
    const rows = this.#options.members.rows();
    const row = rows.find((each) => each.node === node);
    if (row) return row;
    const doubt = this.#options.doubt();
    if (doubt !== undefined)
      throw new OperatorError(
        'node_away',
        `Node "${node}" is not known here. ${doubt}`,
        'Nothing was done. `synthesis cluster status` shows who is there.',
      );
    throw new OperatorError(
      'no_such_node',
      `There is no node "${node}" in the cluster.`,
      `These are known: ${rows.map((each) => each.node).join(', ')}. \`synthesis cluster status\` shows them.`,
    );
  }
}
