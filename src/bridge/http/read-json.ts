import type { IncomingMessage } from 'node:http';
import { parse } from 'secure-json-parse';

/** `cut`: the client hung up before all of it was there. */
export type JsonTrouble = 'type' | 'long' | 'empty' | 'invalid' | 'cut';

export type JsonBody = { ok: true; value: unknown } | { ok: false; why: JsonTrouble };

const isJson = /^application\/json\s*(?:;|$)/i;

/**
 * Reads a request's body as JSON. Never rejects.
 *
 * A key that would give an object another prototype makes it invalid.
 * @param most longest body, bytes
 */
export async function readJson(request: IncomingMessage, most: number): Promise<JsonBody> {
  if (!isJson.test(request.headers['content-type'] ?? '')) return { ok: false, why: 'type' };
  const body = await readText(request, most);
  if (!body.ok) return body;
  if (body.text === '') return { ok: false, why: 'empty' };
  try {
    return { ok: true, value: parse(body.text) };
  } catch {
    return { ok: false, why: 'invalid' };
  }
}

type Text = { ok: true; text: string } | { ok: false; why: 'long' | 'cut' };

function readText(request: IncomingMessage, most: number): Promise<Text> {
  const { promise, resolve } = Promise.withResolvers<Text>();
  if (Number(request.headers['content-length']) > most) resolve({ ok: false, why: 'long' });
  const parts: Buffer[] = [];
  let length = 0;
  request.on('data', (part: Buffer) => {
    length += part.length;
    if (length <= most) parts.push(part);
    else {
      // Node reads the rest away.
      parts.length = 0;
      resolve({ ok: false, why: 'long' });
    }
  });
  request.on('end', () => resolve({ ok: true, text: Buffer.concat(parts).toString() }));
  request.on('close', () => resolve({ ok: false, why: 'cut' }));
  return promise;
}
