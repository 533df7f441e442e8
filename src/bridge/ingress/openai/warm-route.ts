// `POST /v1/warm`: a client that knows of a message before it can send it has Claude Code started meanwhile.
import type { ColdReason } from '../../app/warm/warm-ups.ts';
import type { Handler, Routes } from '../../http/routes.ts';
import { invalidRequest } from './errors.ts';
import { readIdentityHeaders } from './request/identity-headers.ts';

export interface WarmRouteOptions {
  warmUps: {
    /** @returns why no Claude Code is being started */
    warm(key: string, by: string): Promise<ColdReason | undefined>;
  };
  /** Lets in whoever shows the token. */
  admitted(handler: Handler): Handler;
}

/** The conversation is named in a header: there is no message that could tell it. */
export function warmRoute(routes: Routes, { warmUps, admitted }: WarmRouteOptions): void {
  routes.add(
    'POST',
    '/v1/warm',
    admitted(async ({ request }) => {
      const headers = readIdentityHeaders(request.headers);
      if (!headers.ok) return headers.fault;
      const { session, sessionKey, provider } = headers.value;
      const key = session ?? sessionKey;
      if (key === undefined) return invalidRequest('No header names the conversation (x-synthesis-session).');
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
