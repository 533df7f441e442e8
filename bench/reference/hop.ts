// What P1 to P4 and P12 are compared with: the least that stands between a source of text and a reader of SSE. With a file
// it keeps each message there, on disk before the first byte: what a 200 promises.
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { frameSource } from '../harness/frame-source.ts';
import { tellCost } from '../harness/tell-cost.ts';

const [path] = process.argv.slice(2);
const file = path === undefined ? undefined : await open(path, 'a');
const readers = new Map<string, ServerResponse>();

const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: 'hop', object: 'chat.completion.chunk', created: 0, model: 'claude', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

/** A message that ends with `stay` keeps its stream open for frames; any other is answered at once. */
const server = createServer(async (request, response) => {
  const body = (await json(request)) as { messages: { content: unknown }[] };
  const said = body.messages.findLast(({ content }) => typeof content === 'string')?.content;
  await file?.appendFile(`${said}\n`);
  await file?.datasync();
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  if (String(said).endsWith('stay')) {
    readers.set(String(request.headers['x-synthesis-session']), response);
    response.write(chunk('ready'));
  } else response.end(`${chunk('You said something.')}data: [DONE]\n\n`);
});

const frames = await frameSource((session, { text }) => readers.get(session)?.write(chunk(text)));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
console.log(JSON.stringify({ url, frames, token: 'none' }));
await tellCost();
