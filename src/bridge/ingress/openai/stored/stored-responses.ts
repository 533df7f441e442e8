// Responses that a client comes back to by their id. What is known of them is in the sessions; an id begins with the
// digest of its conversation's key, so that it leads there at once.
import { hashId } from '../../../../base/digest.ts';
import { newId } from '../../../../base/ids.ts';
import { findResponse, type Session, type StoredResponse } from '../../../../domain/state/session.ts';
import { KEY_DIGEST_LENGTH } from '../../../../protocol/cluster/cluster.ts';
import type { InputItem } from '../../../../protocol/events/response-events.ts';
import type { Dispatcher } from '../../../app/dispatcher.ts';
import type { ResponseHead, ToolCall } from '../answer/answer.ts';
import type { Place } from '../elsewhere.ts';
import { type Message, type ProviderRequest, textsOf } from '../request/provider-request.ts';

/** `why`: a sentence for the client. */
export type Found = { session: Session; response: StoredResponse } | { why: string };

const prefix = 'resp_';

/** Its name on the wire. */
export const wireResponseId = (id: string): string => `${prefix}${id}`;

/** The other way round; undefined for what is no such name. */
export const bareResponseId = (wire: string): string | undefined =>
  wire.startsWith(prefix) ? wire.slice(prefix.length) : undefined;

/** Hex digits of the digest of a key that find it among those of this bridge. */
const keyLength = 16;

/**
 * Equal for every repeat of the request: it reads the same response again. The turn's id makes it unguessable. No name
 * made of it, such as that of an item, is longer than 64 characters: so long they are at OpenAI.
 */
export const responseIdOf = (key: string, turn: string, request: string): string =>
  `${digestOf(key)}${turn}${hashId(request, 8)}`;

/** @param key of the conversation in which these are words of our own */
const wordsIdOf = (key: string): string => `${digestOf(key)}${newId('w')}`;

/** Names a conversation to all bridges of a cluster. The letter of a turn ends it. */
const digestOf = (key: string): string => hashId(key, KEY_DIGEST_LENGTH);
const longDigest = new RegExp(`^[0-9a-f]{${KEY_DIGEST_LENGTH}}(?=[tw])`);

/** Ids of responses that nobody stored look like this, here and in releases before. */
const unstored = /^r[0-9a-z]{14}$/;

interface Opening {
  request: ProviderRequest;
  key: string;
  turn: string;
  /** Names the request; absent for words of our own. */
  name?: string;
}

export class StoredResponses {
  readonly #dispatcher: Dispatcher;
  readonly #keys = new Map<string, string>();
  /** The conversation that was opened last, of those in `#keys`. */
  #newest: string | undefined;

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** @param wire an id as a client sent it */
  find(wire: string): Found {
    const id = bareResponseId(wire) ?? '';
    if (unstored.test(id))
      return { why: 'It was not stored: `store` was false, or it was no part of a conversation.' };
    const session = this.#sessionOf(id);
    if (!session) return { why: 'This bridge gave no such id.' };
    if (session.removed) return { why: 'Its conversation was forgotten.' };
    const response = findResponse(session, id);
    if (!response) return { why: 'It is too old, or its conversation was forgotten since.' };
    return response.deleted ? { why: 'It was deleted.' } : { session, response };
  }

  /** The key of its conversation, for an id as a client sent it, whether or not the response is still known. */
  keyOf(wire: string): string | undefined {
    return this.#sessionOf(bareResponseId(wire) ?? '')?.key;
  }

  /** Where its conversation may be, for an id as a client sent it, or that of an item. Undefined when it does not say. */
  placeOf(wire: string): Place | undefined {
    const id = wire.replace(/^[a-z]+_/, '');
    const session = this.#sessionOf(id);
    if (session && !session.removed) return { key: session.key };
    const digest = longDigest.exec(id)?.[0];
    return digest === undefined ? undefined : { digest };
  }

  /** The conversation that the newest of these items belongs to. */
  ofItems(items: readonly string[]): string | undefined {
    for (const item of items.toReversed()) {
      const id = item.replace(/^[a-z]+_/, '');
      const session = this.#sessionOf(id);
      if (session?.responses.some((each) => id.startsWith(each.id))) return session.key;
    }
    return undefined;
  }

  /**
   * Gives a response its id, which is on disk once everything dispatched so far is.
   *
   * @returns its head without the time; undefined when nothing is to be stored, or can be
   */
  open({ request, key, turn, name }: Opening): Pick<ResponseHead, 'id' | 'stored'> | undefined {
    if (!request.store) return undefined;
    const id = name === undefined ? wordsIdOf(key) : responseIdOf(key, turn, name);
    const { model, previous } = request;
    const outcome = this.#dispatcher.dispatch(key, {
      type: 'response.open',
      response: id,
      turn,
      model,
      input: inputOf(request.messages),
      ...(previous !== undefined && { previous }),
      ...(name === undefined && { aside: true }),
    });
    if (!outcome.ok) return undefined;
    this.#keys.set(hashId(key, keyLength), key);
    return { id, stored: true };
  }

  close(key: string, response: string, text: string, calls: readonly ToolCall[]): void {
    this.#dispatcher.dispatch(key, { type: 'response.close', response, text, calls: [...calls] });
  }

  #sessionOf(id: string): Session | undefined {
    const digest = id.slice(0, keyLength);
    if (!this.#keys.has(digest)) this.#lookAgain();
    const key = this.#keys.get(digest);
    return key === undefined ? undefined : this.#dispatcher.session(key);
  }

  /** Conversations come from other machines, too. */
  #lookAgain(): void {
    const all = this.#dispatcher.sessionsEver();
    const newest = all.at(-1)?.key;
    if (newest === this.#newest) return;
    this.#newest = newest;
    for (const { key } of all) this.#keys.set(hashId(key, keyLength), key);
  }
}

/** What is new in a request. */
function inputOf(messages: readonly Message[]): InputItem[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).flatMap((message): InputItem[] => {
    if (message.role === 'user') return [{ text: textsOf(message).join('\n') }];
    return message.role === 'tool' ? [{ call: message.callId, output: message.text }] : [];
  });
}
