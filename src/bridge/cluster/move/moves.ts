// A conversation moves in this order: it leaves (nothing new is begun), all of it is on the disk of the other machine, the
// bucket says that it lives there, it is gone here. Whoever fails in between finds in the bucket where it lives.
import type { Duplex } from 'node:stream';
import type { Log } from '../../../base/log.ts';
import type { CarriedFile } from '../../../protocol/cluster/carried-files.ts';
import { OperatorError } from '../../app/operator/operator-error.ts';
import type { ConversationFiles } from '../files/conversation-files.ts';
import type { Homes } from '../homes.ts';
import type { ParcelHead } from './parcel.ts';
import { sendLook, sendParcel } from './send-parcel.ts';

/** The conversations of this machine: `bridge/app/moves` and `bridge/claude` fit by shape. */
export interface MovePort {
  readonly onTheWay: readonly { key: string; node: string; as: 'leaving' | 'arriving' | 'held' }[];
  /** @throws OperatorError; then it stays */
  leave(key: string, node: string, ms: number, signal: AbortSignal): Promise<{ claude?: { id: string } }>;
  house(key: string): Promise<void>;
  gone(key: string): Promise<void>;
  /** Path of what Claude Code keeps of it; undefined when there is nothing yet. */
  transcript(claude: string): string | undefined;
}

export interface MovesOptions {
  node: string;
  homes: Homes;
  port: MovePort;
  files: Pick<ConversationFiles, 'read' | 'remove'>;
  /** @throws when it cannot be reached, in words */
  dial(node: string): Promise<Duplex>;
  log: Log;
}

export class Moves {
  readonly #options: MovesOptions;
  /** Those that this bridge is at, each with its end. */
  readonly #under = new Map<string, Promise<void>>();

  constructor(options: MovesOptions) {
    this.#options = options;
  }

  /** Resolves when it is clear where a conversation lives that is on its way now. One that is still at work is here. */
  async settled(key: string): Promise<void> {
    const move = this.#under.get(key);
    if (move && this.#options.port.onTheWay.some((each) => each.key === key)) await move.catch(() => {});
  }

  /**
   * @param ms for what runs in it to end
   * @throws OperatorError in words; then it stays here, and goes on
   */
  move(key: string, to: string, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#under.has(key))
      throw new OperatorError('elsewhere', `"${key}" is on its way already.`, 'Nothing was changed.');
    const move = this.#move(key, to, ms, signal).finally(() => this.#under.delete(key));
    this.#under.set(key, move);
    return move;
  }

  /** What a bridge before, or another one, has left on its way is where the bucket says. */
  async settle(): Promise<void> {
    for (const { key } of this.#options.port.onTheWay) await this.look(key);
  }

  async look(key: string): Promise<void> {
    const { node, homes, port, log } = this.#options;
    const way = port.onTheWay.find((each) => each.key === key);
    if (!way || this.#under.has(key)) return;
    try {
      const owner = way.as === 'leaving' ? await homes.keep(key, way.node) : await homes.read(key);
      if (owner === node) await port.house(key);
      else if (owner !== undefined && way.as === 'leaving') await port.gone(key);
    } catch (error) {
      log.debug('where a conversation lives could not be read', { session: key, error });
    }
  }

  async #move(key: string, to: string, ms: number, signal: AbortSignal): Promise<void> {
    const { homes, port } = this.#options;
    await this.#mustBeHere(key);
    const state = await port.leave(key, to, ms, signal);
    let carried: CarriedFile[];
    try {
      carried = await this.#send(key, to, state);
      await this.#give(key, to);
    } catch (error) {
      await this.#stays(key, to);
      throw error;
    }
    await port.gone(key);
    homes.forget(key);
    await this.#remove(key, carried);
    await this.#tell(key, to);
  }

  /** One that was here before the machines met may live elsewhere. @throws OperatorError `elsewhere` */
  async #mustBeHere(key: string): Promise<void> {
    const home = await this.#options.homes.of(key);
    if (home.kind === 'here') return;
    const where = home.kind === 'there' ? `lives on ${home.node}` : 'lives where nobody can be asked now';
    throw new OperatorError('elsewhere', `"${key}" ${where}.`, 'Nothing was changed.');
  }

  /** @returns files that the other machine has by now */
  async #send(key: string, to: string, state: { claude?: { id: string } }): Promise<CarriedFile[]> {
    const { node, port, dial, log } = this.#options;
    const files = await this.#files(key, to);
    const claude = state.claude?.id ?? null;
    const head: ParcelHead = {
      kind: 'conversation',
      version: 1,
      session: key,
      from: node,
      claude,
      state: state as unknown as ParcelHead['state'],
      ...(files && { files }),
    };
    const far = await dial(to).catch((error: unknown) => {
      throw refused(key, to, error instanceof Error ? error.message : String(error));
    });
    const receipt = await sendParcel(far, head, claude === null ? undefined : port.transcript(claude));
    if (!receipt.ok) throw refused(key, to, receipt.words);
    if (receipt.files) return files ?? [];
    if (files && files.length > 0)
      log.warn('the other machine has an earlier release: files of a conversation stay here', {
        session: key,
        node: to,
      });
    return [];
  }

  async #files(key: string, to: string): Promise<CarriedFile[] | undefined> {
    try {
      return await this.#options.files.read(key);
    } catch (error) {
      throw refused(key, to, error instanceof Error ? error.message : String(error));
    }
  }

  /** What cannot be removed is no reason for the conversation not to live there. */
  async #remove(key: string, carried: readonly CarriedFile[]): Promise<void> {
    const { files, log } = this.#options;
    await files.remove(key, carried).catch((error: unknown) => {
      log.warn('files of a conversation that moved could not be removed', { session: key, error });
    });
  }

  /** From here on it lives there. */
  async #give(key: string, to: string): Promise<void> {
    const owner = await this.#options.homes.give(key, to).catch((error: unknown) => {
      throw refused(key, to, error instanceof Error ? error.message : String(error));
    });
    if (owner !== to) throw refused(key, to, `it lives on ${owner ?? 'no machine'}`);
  }

  /** Unless the bucket says otherwise: what was written last, and failed, may have been written after all. */
  async #stays(key: string, to: string): Promise<void> {
    const { node, homes, port, log } = this.#options;
    try {
      if ((await homes.keep(key, to)) === node) await port.house(key);
    } catch (error) {
      log.warn('where a conversation lives is not known, and it waits', { session: key, error });
    }
  }

  /** So that what waits there goes on at once. */
  async #tell(key: string, to: string): Promise<void> {
    const { dial, log } = this.#options;
    try {
      await sendLook(await dial(to), key);
    } catch (error) {
      log.debug('the other machine will look by itself', { session: key, node: to, error });
    }
  }
}

const refused = (key: string, to: string, why: string) =>
  new OperatorError(
    'node_away',
    `"${key}" could not be brought to ${to}: ${why.replace(/\.$/, '')}.`,
    'It stays here, and goes on.',
  );
