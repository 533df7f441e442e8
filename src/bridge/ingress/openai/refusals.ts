import type { Log } from '../../../base/log.ts';
import type { Refusal } from '../../../base/net/guard.ts';
import type { Routes } from '../../http/routes.ts';
import {
  diskFailed,
  type HttpFault,
  hostRefused,
  methodNotAllowed,
  notFound,
  originRefused,
  tooBusy,
} from './errors.ts';

/** What a request gets that reaches no route: it comes from where nobody should ask, or asks for what there is not. */
export function refusalOf(
  why: Refusal,
  request: { method?: string | undefined; url?: string | undefined },
  routes: Pick<Routes, 'methodsAt' | 'listed'>,
): HttpFault {
  if (why === 'host') return hostRefused();
  if (why === 'origin') return originRefused();
  const { method = 'GET', url = '' } = request;
  const allowed = routes.methodsAt(request);
  // A WebSocket is asked for with GET, and is no matter of the method.
  return allowed.length > 0 && !allowed.includes(method)
    ? methodNotAllowed(allowed.join(', '))
    : notFound(method, url.split('?', 1)[0] ?? '', routes.listed);
}

/** What a request gets whose handling threw. */
export function thrownFault(log: Log, error: unknown, { url = '' }: { url?: string | undefined }): HttpFault {
  if (error instanceof Error && 'code' in error && error.code === 'journal_write') return diskFailed();
  log.error('request failed', { error, path: url });
  return tooBusy(5, 'The bridge could not take this request.');
}
