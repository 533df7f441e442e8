// The three ways to a provider: a program, a URL, a module in this process.
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clock } from '../../../base/time/clock.ts';
import type { Provider } from '../../../protocol/settings/provider.ts';
import type { ProcessGroups } from './process-groups.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { OpenTransport, ProviderTransport, TransportEvents } from './transport.ts';

/** What a program gets of the bridge's own environment: where it lives, not what the bridge was trusted with. */
const passedOn =
  /^(?:HOME|PATH|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|NODE_EXTRA_CA_CERTS|HTTPS?_PROXY|NO_PROXY)$/i;

export interface OpenerOptions {
  clock: Clock;
  /** The bridge's own environment. */
  env: Readonly<Record<string, string | undefined>>;
  groups: ProcessGroups;
}

export function transportOpener({ clock, env, groups }: OpenerOptions): OpenTransport {
  const base = Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => passedOn.test(entry[0]) && entry[1] !== undefined,
    ),
  );
  return async (provider, events) => {
    const { command, url, module, cwd } = provider;
    if (command)
      return new StdioTransport({
        ...events,
        clock,
        groups,
        command,
        env: { ...base, ...provider.env },
        cwd,
      });
    if (url !== undefined) return openUrl(url, provider, events);
    return openModule(module ?? '', events);
  };
}

async function openUrl(
  url: string,
  { headers }: Provider,
  events: TransportEvents,
): Promise<ProviderTransport> {
  const { StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/sdk/client/streamableHttp.js'
  );
  const http = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  return endable(http, events);
}

/** A module runs in this process: what it does to the event loop it does to the bridge. */
async function openModule(path: string, events: TransportEvents): Promise<ProviderTransport> {
  if (!isAbsolute(path)) throw new Error('the path of its module is not absolute');
  const [{ InMemoryTransport }, loaded] = await Promise.all([
    import('@modelcontextprotocol/sdk/inMemory.js'),
    import(pathToFileURL(path).href) as Promise<{ default?: unknown }>,
  ]);
  const server = typeof loaded.default === 'function' ? await loaded.default() : loaded.default;
  if (!isServer(server)) throw new Error('its module exports no MCP server by default');
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  return endable(ours, events);
}

interface ModuleServer {
  connect(transport: unknown): Promise<void>;
}

const isServer = (value: unknown): value is ModuleServer =>
  typeof value === 'object' && value !== null && 'connect' in value && typeof value.connect === 'function';

/** Such a connection has no process: to end it is to close it. */
function endable<T extends Omit<ProviderTransport, 'kill'>>(
  transport: T,
  { ended }: TransportEvents,
): T & ProviderTransport {
  const close = transport.close.bind(transport);
  const kill = () => {
    // By us, who have words of our own for it.
    ended('');
    void close().catch(() => {});
  };
  return Object.assign(transport, { kill, close: async () => kill() });
}
