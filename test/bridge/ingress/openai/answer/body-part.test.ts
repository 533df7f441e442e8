// The bytes on the wire, beside those of a server that leaves all framing to Node.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { writePart } from '../../../../../src/bridge/ingress/openai/answer/body-part.ts';

type Write = (response: ServerResponse, part: string) => boolean;

const parts = ['a', '', 'bär 🐻 \u2028', '\ud800', 'x'.repeat(70_000), '0\r\n\r\n'];

/** @returns all that a client is sent for `request` */
async function wire(write: Write, request: string): Promise<string> {
  const server = createServer(async (_, response) => {
    response.sendDate = false;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const part of parts) write(response, part);
    await once(response, 'drain');
    // By Node, between two of ours.
    response.write('keep-alive');
    write(response, 'last');
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(request);
  const all = await text(socket);
  server.close();
  return all;
}

const node: Write = (response, part) => response.write(part);
const get = (head: string): string => `GET / HTTP/${head}\r\nHost: x\r\n`;

test.each([
  ['in chunks', `${get('1.1')}Connection: close\r\n\r\n`],
  ['without, for a client that knows none', `${get('1.0')}\r\n`],
  [
    'two behind each other, the second of which waits for the first',
    `${get('1.1')}\r\n${get('1.1')}Connection: close\r\n\r\n`,
  ],
])('a body goes out as Node would send it: %s', async (_, request) => {
  const sent = await wire(writePart, request);
  expect(sent).toContain('last');
  expect(sent === (await wire(node, request))).toBe(true);
});

test('a part is on its way when the call returns, before anything else runs that is ready', async () => {
  const waiting = Promise.withResolvers<number>();
  const server = createServer((_, response) => {
    response.writeHead(200);
    writePart(response, 'first');
    waiting.resolve(response.writableLength);
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${get('1.1')}Connection: close\r\n\r\n`);
  expect(await waiting.promise).toBe(0);
  expect(await text(socket)).toContain('first');
  server.close();
});
