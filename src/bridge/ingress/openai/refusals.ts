import type { Log } from '../../../base/log.ts';
import {
  diskFailed,
  type HttpFault,
  hostRefused,
  methodNotAllowed,
  notFound,
  originRefused,
  tooBusy,
} from './errors.ts';

/** What is served here, by path: for an answer that says more than "not found". */
const served: Record<string, string> = {
  '/v1/models': 'GET',
  '/v1/chat/completions': 'POST',
  '/v1/responses': 'POST',
  '/v1/responses/{id}': 'GET, DELETE',
  '/v1/responses/{id}/input_items': 'GET',
  '/v1/responses/{id}/cancel': 'POST',
};

/** What a request gets that reaches no route: it comes from where nobody should ask, or asks for what there is not. */
export function refusalOf(
  why: 'host' | 'origin' | 'path',
  { method = 'GET', url = '' }: { method?: string | undefined; url?: string | undefined },
): HttpFault {
  if (why === 'host') return hostRefused();
  if (why === 'origin') return originRefused();
  const path = url.split('?', 1)[0] ?? '';
  const route = path
    .replace(/^\/v1\/models\/.*/, '/v1/models')
    .replace(/^(\/v1\/responses\/)[^/]+/, '$1{id}');
  const allowed = Object.hasOwn(served, route) ? served[route] : undefined;
  return allowed ? methodNotAllowed(allowed) : notFound(method, path);
}

/** What a request gets whose handling threw. */
export function thrownFault(log: Log, error: unknown, { url = '' }: { url?: string | undefined }): HttpFault {
  if (error instanceof Error && 'code' in error && error.code === 'journal_write') return diskFailed();
  log.error('request failed', { error, path: url });
  return tooBusy(5, 'The bridge could not take this request.');
}
