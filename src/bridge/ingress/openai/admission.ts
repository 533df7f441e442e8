// Who may ask at all: whoever shows a token that opens it, while there is room.
import type { Exchange, Handler } from '../../http/routes.ts';
import { tooBusy } from './errors.ts';
import { type Checked, checkToken, type TokenCheckOptions } from './token-check.ts';

export interface AdmissionOptions extends TokenCheckOptions {
  /** Requests with a token that may be open at once. Each conversation that is being answered has one. */
  mostRequests: number;
  /** True while the bridge drains: nothing new is accepted. */
  draining(): boolean;
}

/** @param limit the conversations that the token is for; undefined: all */
type AdmittedHandler = (exchange: Exchange, limit: string | undefined) => ReturnType<Handler>;

/** Lets in whoever shows a token of the scope `chat`. */
export type Admitted = (handler: AdmittedHandler) => Handler;

export class Admission {
  readonly #options: AdmissionOptions;
  #open = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Judges the head alone: a body costs nothing until somebody with a token sends it. */
  readonly admitted: Admitted = (handler) => (exchange) => {
    const admitted = this.#admit(exchange);
    return admitted.ok ? handler(exchange, admitted.limit) : admitted.fault;
  };

  #admit({ request, response }: Pick<Exchange, 'request' | 'response'>): Checked {
    const { draining, mostRequests } = this.#options;
    const checked = checkToken(this.#options, request, 'chat');
    if (!checked.ok) return checked;
    if (draining()) return { ok: false, fault: tooBusy(5, 'The bridge is stopping.') };
    if (this.#open >= mostRequests) {
      const full = `${mostRequests} requests are open already, as many as limits.openRequests allows.`;
      return { ok: false, fault: tooBusy(5, full) };
    }
    this.#open += 1;
    response.once('close', () => {
      this.#open -= 1;
    });
    return checked;
  }
}
