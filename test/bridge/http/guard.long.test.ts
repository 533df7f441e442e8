// Who may reach the port at all, with a real server on loopback.
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createHttpServer, type HttpServer } from '../../../src/bridge/http/http-server.ts';
import { ok } from '../../../src/bridge/http/routes.ts';
import { refusalOf } from '../../../src/bridge/ingress/openai/refusals.ts';
import { statusOf } from './support.ts';

const frameBytes = 1000;
let http: HttpServer;
let url: string;
let port: number;
/** Requests and sockets that got through to a handler. */
let reached: string[] = [];

beforeAll(async () => {
  http = createHttpServer({
    frameBytes,
    refuse: refusalOf,
    failed: (error) => {
      throw error;
    },
    sockets: {
      '/bridge': (socket) => {
        reached.push('socket');
        socket.on('error', () => {});
        socket.on('message', (data) => socket.send(String(data).length));
      },
    },
  });
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    http.routes.add(method, '/*', ({ request }) => {
      reached.push(request.method ?? '');
      return ok({});
    });
  port = await http.listen(0);
  url = `http://127.0.0.1:${port}`;
});
afterAll(() => http.close());

const during = async <T>(act: () => Promise<T>): Promise<[T, string[]]> => {
  reached = [];
  const result = await act();
  return [result, reached];
};
const upgrade = [
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-key: ${'a'.repeat(22)}==`,
];

const foreignHosts = (): string[][] => [
  ...[
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1.nip.io',
    `127.0.0.1.nip.io:${port}`,
    'localhost',
    `localhost.:${port}`,
    `localhost.evil.example:${port}`,
    `sub.localhost:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
    `127.0.0.1:${port}0`,
    `127.0.0.1:0${port}`,
    `127.0.0.1:${port}@evil.example`,
    `evil.example@127.0.0.1:${port}`,
    `127.0.0.1:${port}, evil.example`,
    `127.0.0.1:${port}/`,
    `127.0.0.1:${port}.`,
    `127.0.0.2:${port}`,
    `127.1:${port}`,
    `0.0.0.0:${port}`,
    `0:${port}`,
    `0x7f.0.0.1:${port}`,
    `2130706433:${port}`,
    `::1:${port}`,
    `[::]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `http://127.0.0.1:${port}`,
    `[::1%lo]:${port}`,
    '',
  ].map((host) => [`host: ${host}`]),
  [],
  [`host: 127.0.0.1:${port}`, 'host: evil.example'],
  ['host: evil.example', `host: 127.0.0.1:${port}`],
  [`host: 127.0.0.1:${port}`, `host: localhost:${port}`],
];

test('T1: of 33 foreign Host headers, none and two among them, none reaches a handler or a socket', async () => {
  for (const headers of foreignHosts()) {
    const [statuses, got] = await during(async () => [
      await statusOf(url, 'GET /v1/models', ...headers),
      await statusOf(url, 'GET /bridge', ...upgrade, ...headers),
    ]);
    const refused = statuses.every((status) => [400, 421].includes(status));
    expect([headers, refused, got]).toEqual([headers, true, []]);
  }
});

test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])(
  'the Host %s with the port is let in',
  async (name) => {
    const [status, got] = await during(() => statusOf(url, 'GET /v1/models', `host: ${name}:${port}`));
    expect([status, got]).toEqual([200, ['GET']]);
  },
);

describe('T2: whatever a web page can send is refused', () => {
  const origins = ['null', 'http://evil.example', 'http://localhost', 'file://', ''];

  test('for every origin, method and content type, before any handler, and with no leave to read the answer', async () => {
    for (const origin of [...origins, `http://127.0.0.1:${port}`]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
        for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
          const headers = { origin, 'content-type': type, 'access-control-request-method': 'POST' };
          const [response, got] = await during(() =>
            fetch(`${url}/v1/chat/completions`, { method, headers: { ...headers } }),
          );
          const leave = [...response.headers.keys()].filter((name) => name.startsWith('access-control'));
          expect([origin, method, type, response.status, leave, got]).toEqual([
            origin,
            method,
            type,
            403,
            [],
            [],
          ]);
        }
      }
    }
  });

  test('a preflight gets no leave, with or without an origin', async () => {
    const response = await fetch(`${url}/v1/models`, { method: 'OPTIONS' });
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each(origins)('a WebSocket with the origin %j is refused at the upgrade', async (origin) => {
    const headers = [`host: 127.0.0.1:${port}`, `origin: ${origin}`];
    const [status, got] = await during(() => statusOf(url, 'GET /bridge', ...upgrade, ...headers));
    expect([status, got]).toEqual([403, []]);
  });

  test('no address but loopback answers', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    for (const address of ['127.0.0.2', ...others]) {
      const socket = connect(port, address);
      await expect(once(socket, 'connect')).rejects.toThrow();
    }
  });
});

describe('T11: a WebSocket message', () => {
  test('of the largest size arrives, and one byte more ends the connection with 1009', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`);
    await once(socket, 'open');
    socket.send('x'.repeat(frameBytes));
    expect(String((await once(socket, 'message'))[0])).toBe(String(frameBytes));
    socket.send('x'.repeat(frameBytes + 1));
    expect((await once(socket, 'close'))[0]).toBe(1009);
  });

  test('on a path that is not served is not even upgraded', async () => {
    const status = await statusOf(url, 'GET /hooks', ...upgrade, `host: 127.0.0.1:${port}`);
    expect(status).toBe(404);
  });
});
