// `POST /v1/warm`: a client that knows of a message before it can send it has Claude Code started meanwhile.
import type { Socket } from 'node:net';
import { fitsSession } from '../../../protocol/tokens.ts';
import type { ColdReason } from '../../app/warm/warm-ups.ts';
import type { Routes } from '../../http/routes.ts';
import type { Admitted } from './admission.ts';
import { type Elsewhere, notHere } from './elsewhere.ts';
import { invalidRequest, sessionOutside } from './errors.ts';
import { readIdentityHeaders } from './request/identity-headers.ts';

export interface WarmRouteOptions {
  warmUps: {
    /** @returns why no Claude Code is being started */
    warm(key: string, by: string): Promise<ColdReason | undefined>;
  };
  /** Where there are other machines. */
  elsewhere?: Elsewhere | undefined;
  /** Another node of the cluster is on this connection. */
  isAdopted(socket: Socket): boolean;
  admitted: Admitted;
}

/** The conversation is named in a header: there is no message that could tell it. */
export function warmRoute(
  routes: Routes,
  { warmUps, elsewhere, isAdopted, admitted }: WarmRouteOptions,
): void {
  routes.add(
    'POST',
    '/v1/warm',
    admitted(async (exchange, limit) => {
      const { request } = exchange;
      const headers = readIdentityHeaders(request.headers);
      if (!headers.ok) return headers.fault;
      const { session, sessionKey, provider } = headers.value;
      const key = session ?? sessionKey;
      if (key === undefined) return invalidRequest('No header names the conversation (x-synthesis-session).');
      if (limit !== undefined && !fitsSession(limit, key)) return sessionOutside(limit);
      const relayed = isAdopted(request.socket);
      const sent = await elsewhere?.send(exchange, { key, body: '', relayed, limit });
      if (sent?.kind === 'answered') return undefined;
      if (sent?.kind === 'not_here') return notHere;
      if (sent?.kind === 'words')
        return { status: 202, body: { session: key, started: false, why: 'elsewhere' } };
      const why = await warmUps.warm(
        key,
        sessionKey === undefined && provider === undefined ? client : openclaw,
      );
      return { status: 202, body: { session: key, started: why === undefined, ...(why && { why }) } };
    }),
  );
}

const openclaw = 'a message that OpenClaw has received';
const client = 'a message that a client is about to send';
