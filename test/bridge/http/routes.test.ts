// What a request is answered with, by its path and its body: a real server on loopback.
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer, type HttpServer } from '../../../src/bridge/http/http-server.ts';
import { readJson } from '../../../src/bridge/http/read-json.ts';
import { ok } from '../../../src/bridge/http/routes.ts';
import { RawClient } from './support.ts';

const most = 40_000;
let http: HttpServer;
let url: string;
/** What was read of bodies. */
const read: unknown[] = [];

beforeAll(async () => {
  http = createHttpServer({
    frameBytes: 1000,
    refuse: (why) => ({ status: 404, body: { why } }),
    failed: (error) => ({ status: 503, headers: { 'retry-after': '1' }, body: { error: String(error) } }),
    sockets: {},
  });
  const { routes } = http;
  routes.add('GET', '/things/:id', ({ params, query }) => ok({ ...params, order: query.get('order') }));
  routes.add('GET', '/things/:id/parts', ({ params }) => ok(['parts', params.id]));
  routes.add('GET', '/files/*', ({ params }) => ok(params));
  routes.add('GET', '/words', () => ({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: 'as they are',
  }));
  routes.add('POST', '/things', async ({ request }) => {
    const body = await readJson(request, most);
    read.push(body);
    return ok(body);
  });
  routes.add('POST', '/thrown', () => {
    throw new Error('no');
  });
  routes.add('POST', '/broken', ({ response }) => {
    response.write('half of it');
    throw new Error('no');
  });
  url = `http://127.0.0.1:${await http.listen(0)}`;
});
afterAll(() => http.close());

test.each([
  ['/things/a%2Fb%20c?order=asc', { id: 'a/b c', order: 'asc' }],
  ['/things/x?order=a%20b&order=c', { id: 'x', order: 'a b' }],
  ['/things/x?a=b?c&order=d', { id: 'x', order: 'd' }],
  ['/things/__proto__', { id: '__proto__', order: null }],
  ['/things/x/parts', ['parts', 'x']],
  ['/files/a/b%20c', { rest: 'a/b c' }],
  ['/files/', { rest: '' }],
])('GET %s finds its route', async (path, answer) => {
  const response = await fetch(`${url}${path}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  expect(await response.json()).toEqual(answer);
});

test.each([
  'GET /things',
  'GET /things/',
  'GET /things/x/',
  'GET /things/x/other',
  'GET /Things/x',
  'GET /things/%zz',
  'GET //things/x',
  'DELETE /things/x',
  'POST /things/x',
  'PUT /things',
  'GET http://127.0.0.1/things/x',
  'OPTIONS *',
])('%s is not served', async (line) => {
  const client = await RawClient.open(url);
  client.send(`${line} HTTP/1.1`, `host: ${new URL(url).host}`, '', '');
  expect(await client.status()).toBe(404);
  client.socket.destroy();
});

test('HEAD is answered like GET, without the body', async () => {
  const response = await fetch(`${url}/words`, { method: 'HEAD' });
  const { headers } = response;
  expect([
    response.status,
    headers.get('content-type'),
    headers.get('content-length'),
    await response.text(),
  ]).toEqual([200, 'text/plain', '11', '']);
});

test('what a handler throws is answered, and half an answer is broken off', async () => {
  const thrown = await fetch(`${url}/thrown`, { method: 'POST' });
  expect([thrown.status, thrown.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await thrown.json()).toEqual({ error: 'Error: no' });
  const broken = await fetch(`${url}/broken`, { method: 'POST' });
  await expect(broken.text()).rejects.toThrow();
});

const json = { 'content-type': 'application/json' };

test.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, unknown]>([
  ['an object', '{"a":"ü"}', json, { ok: true, value: { a: 'ü' } }],
  ['with a charset', '1', { 'content-type': 'Application/JSON ; charset=utf-8' }, { ok: true, value: 1 }],
  ['behind a byte order mark', '\ufeff[]', json, { ok: true, value: [] }],
  ['of the largest size', `"${'x'.repeat(most - 2)}"`, json, { ok: true, value: 'x'.repeat(most - 2) }],
  ['one byte too long', `"${'x'.repeat(most - 1)}"`, json, { ok: false, why: 'long' }],
  ['that is not JSON', '{', json, { ok: false, why: 'invalid' }],
  ['with another prototype', '{"a":{"__proto__":{}}}', json, { ok: false, why: 'invalid' }],
  ['and one in other letters', '{"\\u005f_proto__":{}}', json, { ok: false, why: 'invalid' }],
  [
    'with a prototype of its constructor',
    '{"constructor":{"prototype":{}}}',
    json,
    { ok: false, why: 'invalid' },
  ],
  [
    'with one in other letters',
    '{"constructor":{"\\u0070rototype" :{}}}',
    json,
    { ok: false, why: 'invalid' },
  ],
  ['that only speaks of them', '{"a":"__proto__"}', json, { ok: true, value: { a: '__proto__' } }],
  ['with a constructor', '{"constructor":{}}', json, { ok: true, value: { constructor: {} } }],
  ['that is empty', '', json, { ok: false, why: 'empty' }],
  ['without a type', new Uint8Array([49]), {}, { ok: false, why: 'type' }],
  ['of a similar type', '1', { 'content-type': 'application/json-seq' }, { ok: false, why: 'type' }],
])('a body %s', async (_, body, headers, expected) => {
  const response = await fetch(`${url}/things`, { method: 'POST', headers, body });
  expect(await response.json()).toEqual(expected);
});

test('a body in pieces is whole, and too long as soon as it is, whatever comes behind', async () => {
  const posted = request(`${url}/things`, { method: 'POST', headers: json });
  for (const piece of ['{"a":', '[1,', '"\xc3', '2"]}']) posted.write(piece, 'latin1');
  posted.end();
  const [whole] = (await once(posted, 'response')) as [NodeJS.ReadableStream];
  expect(String(await once(whole, 'data'))).toBe('{"ok":true,"value":{"a":[1,"\ufffd2"]}}');
  const grown = request(`${url}/things`, { method: 'POST', headers: json });
  for (const piece of ['"', 'x'.repeat(20_000), 'y'.repeat(15_000), '"']) grown.write(piece);
  grown.end();
  const [all] = (await once(grown, 'response')) as [NodeJS.ReadableStream];
  expect(await text(all)).toBe(`{"ok":true,"value":"${'x'.repeat(20_000)}${'y'.repeat(15_000)}"}`);
  const halved = request(`${url}/things`, { method: 'POST', headers: json });
  halved.write('"\xe2\x9f', 'latin1');
  // Until it has been read: together they would be one piece.
  await pause(50);
  halved.end('\xa6"', 'latin1');
  const [joined] = (await once(halved, 'response')) as [NodeJS.ReadableStream];
  expect(String(await once(joined, 'data'))).toBe('{"ok":true,"value":"⟦"}');
  const long = request(`${url}/things`, { method: 'POST', headers: json });
  long.on('error', () => {});
  long.write('x'.repeat(most + 1));
  const [refused] = (await once(long, 'response')) as [NodeJS.ReadableStream];
  expect(String(await once(refused, 'data'))).toBe('{"ok":false,"why":"long"}');
  long.destroy();
});

test('a length that is too large is refused before the body is sent, and a client that hangs up is noticed', async () => {
  const client = await RawClient.open(url);
  const head = ['POST /things HTTP/1.1', `host: ${new URL(url).host}`, 'content-type: application/json'];
  client.send(...head, `content-length: ${most + 1}`, '', '');
  expect(await client.status()).toBe(200);
  client.socket.destroy();
  read.length = 0;
  const cut = await RawClient.open(url);
  cut.send(...head, 'content-length: 5', '', '12');
  cut.socket.end();
  await cut.closed();
  await expect.poll(() => read).toEqual([{ ok: false, why: 'cut' }]);
});

test('a client that hangs up before its answer harms nobody, and a server that closes ends what is open', async () => {
  const own = createHttpServer({
    frameBytes: 1000,
    refuse: () => ({ status: 404, body: {} }),
    failed: () => ({ status: 503, body: {} }),
    sockets: {},
  });
  const gone = Promise.withResolvers<void>();
  own.routes.add('GET', '/late', async ({ response }) => {
    await once(response, 'close');
    gone.resolve();
    return ok({});
  });
  own.routes.add('GET', '/open', ({ response }) => {
    response.write('and so on');
    return undefined;
  });
  const at = `http://127.0.0.1:${await own.listen(0)}`;
  const client = await RawClient.open(at);
  client.send('GET /late HTTP/1.1', `host: ${new URL(at).host}`, '', '');
  client.socket.end();
  client.socket.destroy();
  await gone.promise;
  const open = await fetch(`${at}/open`);
  expect(open.status).toBe(200);
  await own.close();
  await expect(open.text()).rejects.toThrow();
});
