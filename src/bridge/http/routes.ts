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
  /** As it was added. */
  name: string;
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
    this.#routes.push({ method, name: path, path: new RegExp(`^${source}$`), handler });
  }

  /** HEAD is a GET whose body Node leaves out. */
  find({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): Found | undefined {
    const [path, query] = parts(url);
    for (const route of this.#routes) {
      const params = route.method === (method === 'HEAD' ? 'GET' : method) && paramsOf(route, path);
      if (params) return { handler: route.handler, params, query: new URLSearchParams(query) };
    }
    return undefined;
  }

  /** The methods that the path of a request takes, whatever its own is; none where nothing is served. */
  methodsAt({ url = '' }: Pick<IncomingMessage, 'url'>): string[] {
    const [path] = parts(url);
    return this.#routes.filter((route) => paramsOf(route, path)).map(({ method }) => method);
  }

  /** Such as `GET /v1/models`; those without a part that differs. */
  get listed(): string[] {
    return this.#routes
      .filter(({ name }) => !/[:*]/.test(name))
      .map(({ method, name }) => `${method} ${name}`);
  }
}

/** The path, and the query with its question mark. */
function parts(url: string): [path: string, query: string] {
  const end = url.indexOf('?');
  return end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
}

function paramsOf({ path }: Route, given: string): Record<string, string> | undefined {
  const groups = path.exec(given);
  return groups ? decoded(groups.groups ?? {}) : undefined;
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
