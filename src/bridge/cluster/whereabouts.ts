// Where a message belongs, and how it gets there.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { Log } from '../../base/log.ts';
import { fitsSession } from '../../protocol/tokens.ts';
import { OperatorError } from '../app/operator/operator-error.ts';
import { unreachable, unreachedText } from './cluster-words.ts';
import type { Home, Homes } from './homes.ts';
import type { Members } from './members.ts';
import { relay } from './relay.ts';

/** A node that was asked may know better; then it is asked where the conversation lives, once more. */
const tries = 3;

export interface WhereaboutsOptions {
  /** Whether this node has a conversation. */
  has(key: string): boolean;
  homes: Pick<Homes, 'of' | 'keyOf' | 'claim' | 'settle' | 'forget'>;
  /** Resolves when it is clear where it lives, as far as this node has to do with it. @returns false when it is not */
  settled(key: string): Promise<boolean>;
  /** Whether another node goes on with it when its own is away. */
  isTakenOver(key: string): boolean;
  members: Pick<Members, 'isTaken' | 'reason'>;
  /** Waits for servers that were lost a moment ago. */
  ready(): Promise<void>;
  /** The port of another node. @throws TunnelError when it cannot be reached */
  dial(node: string): Promise<Duplex>;
  log: Log;
}

/** See `Elsewhere` of the OpenAI ingress. */
export type Sent =
  | { kind: 'here' | 'answered' | 'not_here' | 'outside' }
  /** For whoever wrote the message; nothing of it was taken. */
  | { kind: 'words'; text: string };

export class Whereabouts {
  readonly #options: WhereaboutsOptions;
  /** Conversations that are here and live on another node. */
  readonly strays = new Map<string, string>();

  constructor(options: WhereaboutsOptions) {
    this.#options = options;
  }

  /** For whoever writes a message: what is wrong with servers in detail is for operators. */
  get #unknownWords(): string {
    return (this.#options.members.isTaken && this.#options.members.reason) || unreachable;
  }

  /**
   * Has a request answered where its conversation lives. A new one begins here, unless it is to live elsewhere.
   * @param relayed another node asks: it goes no further
   * @param limit the conversations that its token is for; undefined: all
   */
  async send(
    { request, response }: { request: IncomingMessage; response: ServerResponse },
    { key, body, relayed, limit }: { key: string; body: string; relayed: boolean; limit: string | undefined },
  ): Promise<Sent> {
    if (!fitsSession(limit, key)) return { kind: 'outside' };
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const isSettled = await this.#options.settled(key);
      const home = await this.#home(key, relayed);
      if (home.kind === 'here' && !isSettled) break;
      if (home.kind === 'here') return { kind: 'here' };
      if (relayed) return { kind: 'not_here' };
      if (home.kind === 'unknown') break;
      const far = await this.#options.dial(home.node).catch((error: unknown) => error);
      if (!(far instanceof Duplex)) {
        this.#options.log.warn('another node could not be reached', { node: home.node, error: far });
        // It may have been forgotten since, or be another's by now.
        this.#options.homes.forget(key);
        const now = await this.#home(key, false);
        if (now.kind === 'here' || (now.kind === 'there' && now.node !== home.node)) continue;
        return { kind: 'words', text: unreachedText(home.node, far, this.#options.isTakenOver(key)) };
      }
      if (home.wanted && !(await this.#isSettled(key, home.node))) far.destroy();
      else if ((await relay(request, body, response, far, limit)) === 'answered') return { kind: 'answered' };
      this.#options.homes.forget(key);
    }
    return { kind: 'words', text: this.#unknownWords };
  }

  /**
   * As `send`, for what is named by the digest of its key; what nobody has is this node's to answer.
   * @param key what is meant where nobody has such a digest
   */
  async follow(
    exchange: { request: IncomingMessage; response: ServerResponse },
    {
      digest,
      key,
      ...about
    }: { digest: string; key?: string; body: string; relayed: boolean; limit: string | undefined },
  ): Promise<Sent> {
    const { ready, homes } = this.#options;
    await ready();
    try {
      const found = (await homes.keyOf(digest)) ?? key;
      return found === undefined ? { kind: 'here' } : await this.send(exchange, { ...about, key: found });
    } catch (error) {
      this.#options.log.warn('a conversation could not be looked up', { error });
      return { kind: 'words', text: this.#unknownWords };
    }
  }

  /**
   * Before a conversation gets a message of an operator here.
   * @throws OperatorError `elsewhere` when it lives on another node, or when that cannot be found out
   */
  async mayTake(key: string): Promise<void> {
    const isSettled = await this.#options.settled(key);
    const home = await this.#home(key, false);
    if (home.kind === 'here' && isSettled) return;
    if (home.kind !== 'there')
      throw new OperatorError(
        'elsewhere',
        this.#unknownWords,
        '`synthesis cluster status` shows what is wrong.',
      );
    throw new OperatorError(
      'elsewhere',
      `The conversation "${key}" lives on node ${home.node}. Nothing was sent.`,
      `Say \`--node ${home.node}\` to reach it.`,
    );
  }

  /** What is here asks nobody whether it can be asked. */
  async #home(key: string, relayed: boolean): Promise<Home> {
    if (!this.#options.has(key)) await this.#options.ready();
    return this.#marked(key, await this.#options.homes.of(key, relayed));
  }

  /** Where a conversation that is here, too, is another one than the one that gets messages. */
  #marked(key: string, home: Home): Home {
    if (home.kind === 'there' && this.#options.has(key)) this.strays.set(key, home.node);
    else this.strays.delete(key);
    return home;
  }

  async #isSettled(key: string, node: string): Promise<boolean> {
    const home = await this.#options.homes.settle(key, node).catch(() => undefined);
    return home?.kind === 'there' && home.node === node;
  }

  /** For this node, unless it lives elsewhere. @throws when nobody can be asked */
  async claim(key: string): Promise<void> {
    this.#marked(key, await this.#options.homes.claim(key));
  }
}
