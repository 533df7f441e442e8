import { type HttpFault, hostRefused, methodNotAllowed, notFound, originRefused } from './errors.ts';

/** What is served here, by path: for an answer that says more than "not found". */
const served: Record<string, string> = {
  '/v1/models': 'GET',
  '/v1/chat/completions': 'POST',
  '/v1/responses': 'POST',
};

/** What a request gets that reaches no route: it comes from where nobody should ask, or asks for what there is not. */
export function refusalOf(
  why: 'host' | 'origin' | 'path',
  { method = 'GET', url = '' }: { method?: string | undefined; url?: string | undefined },
): HttpFault {
  if (why === 'host') return hostRefused();
  if (why === 'origin') return originRefused();
  const path = url.split('?', 1)[0] ?? '';
  const route = path.startsWith('/v1/models/') ? '/v1/models' : path;
  const allowed = Object.hasOwn(served, route) ? served[route] : undefined;
  return allowed ? methodNotAllowed(allowed) : notFound(method, path);
}
