// A response that comes from another node, next to the same one from that node itself. A socket is in the tunnel's place.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type Relayed, relay } from '../../../src/bridge/cluster/relay.ts';

interface World {
  near: number;
  far: number;
  /** The far node's end of the connection of the request that came last. */
  link(): Duplex | undefined;
  relayed: Promise<Relayed>;
}

async function port(server: Server): Promise<number> {
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** @param listener what answers on the far node, and behind its own port @param limit of the client's token */
async function world(listener: RequestListener, limit?: string): Promise<World> {
  const far = createServer(listener);
  const { promise: relayed, resolve } = Promise.withResolvers<Relayed>();
  let link: Duplex | undefined;
  const farPort = await port(far);
  far.on('connection', (socket) => {
    link = socket;
  });
  const near = createServer(async (incoming, response) => {
    const body = String(await buffer(incoming));
    const result = await relay(incoming, body, response, connect(farPort, '127.0.0.1'), limit);
    if (result === 'not_here') response.writeHead(200).end('asked anew');
    resolve(result);
  });
  return { near: await port(near), far: farPort, link: () => link, relayed };
}

interface Got {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

async function ask(to: number, body: string, headers: Record<string, string> = {}): Promise<Got> {
  const asked = request({ port: to, method: 'POST', path: '/v1/chat/completions?a=b', headers }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

const listeners: Record<string, RequestListener> = {
  'a whole answer': async (incoming, response) => {
    const body = Buffer.from(`{"heard":"${incoming.url} ü ${(await buffer(incoming)).length}"}`);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  },
  'a stream of events': async (incoming, response) => {
    await buffer(incoming);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': ['a=1', 'b=2'] });
    for (let n = 0; n < 50; n += 1) response.write(`data: ${n} ü\n\n`);
    response.end('data: [DONE]\n\n');
  },
  'a refusal': (_, response) => void response.writeHead(503, { 'retry-after': '5' }).end('{"error":{}}'),
  'a body of eight megabytes back': async (incoming, response) => void response.end(await buffer(incoming)),
};

test.each(Object.keys(listeners))('%s is the same through another node', async (name) => {
  const listener = listeners[name] as RequestListener;
  const { near, far } = await world(listener);
  const body = name.includes('eight') ? 'ü'.repeat(4 * 1024 * 1024) : '{"a":1}';
  const [through, straight] = [await ask(near, body), await ask(far, body)];
  expect(through.status).toBe(straight.status);
  expect(through.body.equals(straight.body)).toBe(true);
  const { date: _, connection: __, 'keep-alive': ___, ...kept } = straight.headers;
  expect(through.headers).toMatchObject(kept);
});

test('the proof of who a client is stays here, and so does what concerns its connection alone', async () => {
  const { near } = await world(async (incoming, response) => {
    const body = String(await buffer(incoming));
    response.setHeader('x-named', 'of one connection');
    response.setHeader('proxy-authenticate', 'Basic');
    response.end(JSON.stringify({ headers: incoming.headers, body }));
  });
  const { body, headers } = await ask(near, 'ü', {
    authorization: 'Bearer secret',
    'proxy-authorization': 'Basic secret',
    'keep-alive': 'timeout=5',
    te: 'trailers',
    expect: '100-continue',
    'x-synthesis-session': 'chat',
    'transfer-encoding': 'chunked',
  });
  const far = JSON.parse(String(body));
  expect(far.body).toBe('ü');
  expect(JSON.stringify(far.headers)).not.toContain('secret');
  expect(Object.keys(far.headers).sort()).toEqual([
    'connection',
    'content-length',
    'host',
    'x-synthesis-session',
  ]);
  expect(headers['x-named']).toBe('of one connection');
});

test.each([
  ['nothing, for a token without a limit', undefined, undefined],
  ['the limit of its token', 'team/ü:*', encodeURIComponent('team/ü:*')],
])(
  'of what a client may touch the other node is told %s, whatever the client says',
  async (_, limit, told) => {
    const { near } = await world((incoming, response) => {
      response.end(JSON.stringify(incoming.headers['x-synthesis-token-session'] ?? 'nothing'));
    }, limit);
    const { body } = await ask(near, '{}', { 'x-synthesis-token-session': '*' });
    expect(JSON.parse(String(body))).toBe(told ?? 'nothing');
  },
);

test('a client that hangs up hangs up there', async () => {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const { near, relayed } = await world((_, response) => {
    response.on('close', resolve);
    response.writeHead(200).write('the beginning');
  });
  const asked = request({ port: near, method: 'POST' }).end('{}');
  asked.on('error', () => {});
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  await once(response, 'data');
  asked.destroy();
  await gone;
  expect(await relayed).toBe('answered');
});

test.each(['before its answer', 'in the middle of it'])(
  'a node that dies %s breaks the connection of the client',
  async (what) => {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    const world_ = await world((_, response) => {
      if (what === 'in the middle of it') response.writeHead(200).write('the beginning');
      resolve();
    });
    const asked = request({ port: world_.near, method: 'POST' }).end('{}');
    const broken = once(asked, 'error').catch(() => undefined);
    const began =
      what === 'in the middle of it' ? ((await once(asked, 'response')) as [IncomingMessage]) : undefined;
    await heard;
    world_.link()?.destroy();
    if (began) await expect(buffer(began[0])).rejects.toThrow('aborted');
    else expect(String((await broken)?.[0])).toContain('hang up');
    expect(await world_.relayed).toBe('answered');
  },
);

test('a node that has it no more is heard before anything is answered', async () => {
  const { near } = await world((_, response) => {
    response.writeHead(421, { 'x-synthesis-not-here': '1' }).end('{}');
  });
  expect(String((await ask(near, '{}')).body)).toBe('asked anew');
});
