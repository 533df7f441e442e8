// The two ways to a provider that has no process: a URL, with a real server behind it, and a module.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../support/until.ts';
import { registryHouse } from './registry-house.ts';

const module = join(import.meta.dirname, '../../fixtures/module-provider.mjs');

/** Serves the module over HTTP, each session with a server of its own. */
async function serve(port = 0): Promise<{ http: HttpServer; url: string; headers: IncomingHttpHeaders[] }> {
  const { default: makeServer } = (await import(module)) as {
    default: () => { connect(transport: unknown): Promise<void> };
  };
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const headers: IncomingHttpHeaders[] = [];
  const http = createServer(async (request, response) => {
    headers.push(request.headers);
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (!known && request.headers['mcp-session-id']) {
      response.writeHead(404).end();
      return;
    }
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
    if (!known) await makeServer().connect(transport);
    await transport.handleRequest(request, response);
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { http, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, headers };
}

test('a module is loaded, offers its tools and answers', async () => {
  const { registry, walk, call } = await registryHouse({ module });
  expect(walk).toEqual(['healthy']);
  expect(registry.views()[0]?.kind).toBe('module');
  expect((await call('echo', { a: 1 })).data).toBe('{"a":1}');
});

test.each([
  ['is not there', '/nowhere/at/all.mjs', /its module was not found/],
  ['exports no server', join(import.meta.dirname, 'nested.ts'), /exports no MCP server/],
])('a module that %s is unavailable, in words without its path', async (_what, path, words) => {
  const { registry } = await registryHouse({ module: path });
  const [view] = registry.views();
  expect(view?.status).not.toBe('healthy');
  expect(view?.reason).toMatch(words);
  expect(view?.reason).not.toContain('/nowhere/at');
});

test('a URL is reached with its headers, and answers', async () => {
  const { url, headers } = await serve();
  const { walk, call } = await registryHouse({ url, headers: { 'x-key': 'hunter22' } });
  expect(walk).toEqual(['healthy']);
  expect((await call('echo', { a: 1 })).data).toBe('{"a":1}');
  expect(headers.every((each) => each['x-key'] === 'hunter22')).toBe(true);
});

test('a server that goes is unavailable, and healthy when it is back, though it has forgotten the session', async () => {
  const { http, url } = await serve();
  const { walk, call } = await registryHouse({ url });
  http.closeAllConnections();
  http.close();
  await until('it to be degraded', () => walk.at(-1)?.startsWith('degraded'), 5_000);
  await until('it to be unavailable', () => walk.at(-1)?.startsWith('unavailable'), 5_000);
  expect((await call('echo')).error?.code).toBe('PROVIDER_UNAVAILABLE');
  await serve(Number(new URL(url).port));
  await until('it to be healthy', () => walk.at(-1) === 'healthy', 5_000);
  expect((await call('echo', { a: 1 })).data).toBe('{"a":1}');
});

test.each([401, 403])('a server that answers with %i says where to look', async (status) => {
  const http = createServer((_request, response) => void response.writeHead(status).end());
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => void http.close());
  const { registry } = await registryHouse({
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
  });
  expect(registry.views()[0]?.reason).toContain('headers');
});

test('nobody behind a URL is told in words', async () => {
  const { http, url } = await serve();
  http.close();
  await once(http, 'close');
  const { registry } = await registryHouse({ url });
  expect(registry.views()[0]?.reason).toBe('nobody answers at its address');
});
