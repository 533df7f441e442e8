// An answer that may take hours: a body when it comes soon, else a stream of events with a sign of life in it, because
// who asked gives up after 60 s in which nothing came (measured on 2.1.330).
import type { ServerResponse } from 'node:http';
import type { Cancel, Clock } from '../../base/time/clock.ts';

/** From the request, and from one sign of life to the next, ms. */
const aliveMs = 15_000;

const stream = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

/** Begins a stream of events, and keeps it alive for as long as it is open. */
export function openStream(response: ServerResponse, clock: Clock): void {
  response.writeHead(200, stream);
  response.write(': open\n\n');
  let cancel: Cancel = () => {};
  const next = () => {
    cancel = clock.after(aliveMs, () => {
      response.write(': alive\n\n');
      next();
    });
  };
  next();
  response.once('close', () => cancel());
}

/** @param message one of JSON-RPC, of a single line */
export const streamEvent = (message: Buffer): Buffer =>
  Buffer.concat([Buffer.from('event: message\ndata: '), message, Buffer.from('\n\n')]);

/** @returns what answers, once; an empty body says that it was taken, and that nothing comes of it */
export function lateAnswer(response: ServerResponse, clock: Clock): (body: Buffer) => void {
  let isStream = false;
  const cancel = clock.after(aliveMs, () => {
    isStream = true;
    openStream(response, clock);
  });
  response.once('close', cancel);
  return (body) => {
    cancel();
    if (isStream) {
      response.end(body.length > 0 ? streamEvent(body) : undefined);
      return;
    }
    const head = body.length > 0 ? { 'content-type': 'application/json', 'content-length': body.length } : {};
    response.writeHead(body.length > 0 ? 200 : 202, head).end(body);
  };
}
