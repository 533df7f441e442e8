// Whose request it is by its token, and whether that opens what is asked for. Judged by the head alone, for each request
// anew: a connection proves nothing for the next one.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { bearerOf } from '../../../base/secret.ts';
import type { Caller } from '../../../domain/caller/caller.ts';
import { TOKEN_SESSION_HEADER } from '../../../protocol/cluster/cluster.ts';
import type { ShownToken, TokenScope } from '../../../protocol/tokens.ts';
import {
  type HttpFault,
  invalidRequest,
  notForClaude,
  scopeMissing,
  tokenExpired,
  unauthorized,
} from './errors.ts';

/** `bridge/tokens` fits by shape. */
export interface TokenPort {
  look(secret: string | undefined): ShownToken;
}

export interface TokenCheckOptions {
  tokens: TokenPort;
  /** This connection showed a token that fits. */
  proved(socket: Socket): void;
  /** Another node of the cluster is on it, which has seen a token itself. */
  isAdopted(socket: Socket): boolean;
  /** Who may not come in although they show a token: something that Claude Code has started. */
  refused?(socket: Socket, path: string): Caller | undefined;
}

/** `limit`: the conversations that the token is for, as `fitsSession` has it; undefined: all. */
export type Checked = { ok: true; limit: string | undefined } | { ok: false; fault: HttpFault };

/** @param scopes of which one is enough */
export function checkToken(
  { tokens, proved, isAdopted, refused: refusedCaller }: TokenCheckOptions,
  request: Pick<IncomingMessage, 'headers' | 'socket' | 'method' | 'url'>,
  ...scopes: readonly [TokenScope, ...TokenScope[]]
): Checked {
  const { headers, socket } = request;
  if (isAdopted(socket)) return limitOfNode(headers[TOKEN_SESSION_HEADER]);
  const given = bearerOf(headers.authorization);
  const shown = tokens.look(given);
  switch (shown.kind) {
    case 'missing':
    case 'unknown':
      return refused(unauthorized(given !== undefined));
    case 'expired':
      return refused(tokenExpired(shown.grant, shown.at));
    case 'holds': {
      const { grant } = shown;
      if (!scopes.some((scope) => grant.scopes.includes(scope))) return refused(scopeMissing(grant, scopes));
      proved(socket);
      const caller = refusedCaller?.(socket, pathOf(request));
      return caller ? refused(notForClaude(caller)) : { ok: true, limit: grant.session };
    }
  }
}

/** What the node that saw the token says of its limit: it holds here, too. */
function limitOfNode(header: string | string[] | undefined): Checked {
  if (header === undefined) return { ok: true, limit: undefined };
  try {
    return { ok: true, limit: decodeURIComponent(String(header)) };
  } catch {
    return refused(invalidRequest(`The header ${TOKEN_SESSION_HEADER} cannot be read.`));
  }
}

const pathOf = ({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): string =>
  `${method} ${url.split('?', 1)[0]}`;

const refused = (fault: HttpFault): Checked => ({ ok: false, fault });
