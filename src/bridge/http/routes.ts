// Which request is answered by whom: a few paths, looked through in order.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a request is answered with. A body that is a string is sent as it is, any other as JSON. */
export interface Answer {
  /** HTTP status. */
  status: number;
  /** Lower case. */
  headers?: Record<string, string>;
  body: unknown;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** What stands in place of each `:name` of the path, decoded; of a `*` at its end under that name. */
  params: Record<string, string>;
  query: URLSearchParams;
}

/** @returns undefined when it has written the response itself */
export type Handler = (exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>;

type Method = 'GET' | 'POST' | 'DELETE';

interface Route {
  method: Method;
  path: RegExp;
  handler: Handler;
}

export interface Found {
  handler: Handler;
  params: Record<string, string>;
  query: URLSearchParams;
}

export class Routes {
  readonly #routes: Route[] = [];

  /** @param path such as `/v1/responses/:id` or `/v1/models/*` */
  add(method: Method, path: string, handler: Handler): void {
    const source = path
      .replaceAll(/:\w+/g, (name) => `(?<${name.slice(1)}>[^/]+)`)
      .replace('*', '(?<rest>.*)');
    this.#routes.push({ method, path: new RegExp(`^${source}$`), handler });
  }

  /** HEAD is a GET whose body Node leaves out. */
  find({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): Found | undefined {
    const end = url.indexOf('?');
    const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
    for (const route of this.#routes) {
      const groups = route.method === (method === 'HEAD' ? 'GET' : method) && route.path.exec(path);
      const params = groups && decoded(groups.groups ?? {});
      if (params) return { handler: route.handler, params, query: new URLSearchParams(query) };
    }
    return undefined;
  }
}

/** @returns undefined when it is no percent-encoding */
function decoded(groups: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return undefined;
  }
}
