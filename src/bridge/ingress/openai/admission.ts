// Who may ask at all: whoever shows the bridge's token, while there is room.
import type { Socket } from 'node:net';
import { bearerOf, sameSecret } from '../../../base/secret.ts';
import type { Caller } from '../../../domain/caller/caller.ts';
import type { Exchange } from '../../http/routes.ts';
import { type HttpFault, notForClaude, tooBusy, unauthorized } from './errors.ts';

export interface AdmissionOptions {
  /** The bearer token of `/v1`. */
  token: string;
  /** Requests with a token that may be open at once. Each conversation that is being answered has one. */
  mostRequests: number;
  /** This connection showed the token. */
  proved(socket: Socket): void;
  /** Another node of the cluster is on it, which has seen a token itself. */
  isAdopted(socket: Socket): boolean;
  /** Who may not come in although they show a token: something that Claude Code has started. */
  refused?(socket: Socket, path: string): Caller | undefined;
  /** True while the bridge drains: nothing new is accepted. */
  draining(): boolean;
}

export class Admission {
  readonly #options: AdmissionOptions;
  #open = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** @returns why it may not go on; nothing of its body was read then */
  admit({ request, response }: Pick<Exchange, 'request' | 'response'>): HttpFault | undefined {
    const { token, proved, isAdopted, refused, draining, mostRequests } = this.#options;
    const given = bearerOf(request.headers.authorization);
    if (!isAdopted(request.socket)) {
      if (!sameSecret(token, given)) return unauthorized(given !== undefined);
      proved(request.socket);
      const caller = refused?.(request.socket, pathOf(request));
      if (caller) return notForClaude(caller);
    }
    if (draining()) return tooBusy(5, 'The bridge is stopping.');
    if (this.#open >= mostRequests) {
      return tooBusy(5, `${mostRequests} requests are open already, as many as limits.openRequests allows.`);
    }
    this.#open += 1;
    response.once('close', () => {
      this.#open -= 1;
    });
    return undefined;
  }
}

const pathOf = ({ method = '', url = '' }: Exchange['request']): string =>
  `${method} ${url.split('?', 1)[0]}`;
