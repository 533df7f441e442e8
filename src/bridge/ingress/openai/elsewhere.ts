// Conversations that live on another machine. `bridge/cluster` fits by shape.
import { NOT_HERE_HEADER } from '../../../protocol/cluster/cluster.ts';
import type { Answer, Exchange } from '../../http/routes.ts';

/**
 * `here`: it is this bridge's own to answer. `not_here`: another node asks for what does not live here. `words`: for
 * whoever wrote the message; nothing of it was taken. `outside`: it is no conversation of the token's.
 */
type Sent =
  | { kind: 'here' }
  | { kind: 'answered' }
  | { kind: 'not_here' }
  | { kind: 'outside' }
  | { kind: 'words'; text: string };

/**
 * A conversation by its key; or by the digest of its key, and what is meant, if anything, where none has such a digest.
 */
export type Place = { key: string; digest?: undefined } | { digest: string; key?: string };

export interface Elsewhere {
  /**
   * Has a request answered where its conversation lives. A new one begins here, unless it is to live elsewhere. What
   * has only a digest that nobody knows is answered here, too.
   * @param about `relayed`: another node asks; `limit`: the conversations that its token is for, which holds there, too
   */
  send(
    exchange: Pick<Exchange, 'request' | 'response'>,
    about: Place & { body: string; relayed: boolean; limit: string | undefined },
  ): Promise<Sent>;
}

/** A node that hears this asks again where the conversation lives. */
export const notHere: Answer = {
  status: 421,
  headers: { [NOT_HERE_HEADER]: '1' },
  body: {
    error: {
      message: 'This conversation does not live here.',
      type: 'invalid_request_error',
      param: null,
      code: 'not_here',
    },
  },
};
