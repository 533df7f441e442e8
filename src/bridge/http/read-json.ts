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
  const body = await readBytes(request, most);
  if (!body.ok) return body;
  const text = body.bytes.toString();
  if (text === '') return { ok: false, why: 'empty' };
  try {
    return { ok: true, value: mayPoison(body.bytes) ? parse(text) : JSON.parse(text) };
  } catch {
    return { ok: false, why: 'invalid' };
  }
}

/**
 * Whether a key may be in it that is refused, `__proto__` or the `prototype` of a `constructor`, as it is or in other
 * letters. A long body is mostly without; each look through all of it counts, and its text is twice as long as its bytes.
 */
const mayPoison = (bytes: Buffer): boolean =>
  bytes[0] === byteOrderMark ||
  bytes.includes('\\u00') ||
  (bytes.includes('proto') && (bytes.includes('__proto__"') || bytes.includes('prototype"')));

/** Its first byte. */
const byteOrderMark = 0xef;

type Bytes = { ok: true; bytes: Buffer } | { ok: false; why: 'long' | 'cut' };

/** Bytes for a body that does not say how long it is. */
const firstRoom = 16_384;

/**
 * As bytes, which are decoded once: texts that are put together are copied once more. Nothing of it is kept by the request,
 * which lives as long as its response.
 */
function readBytes(request: IncomingMessage, most: number): Promise<Bytes> {
  return new Promise((resolve) => {
    const told = request.headers['content-length'];
    if (Number(told) > most) return resolve({ ok: false, why: 'long' });
    let bytes = Buffer.allocUnsafe(Number(told ?? firstRoom));
    let length = 0;
    const settle = (whole: Bytes) => {
      request.off('data', take).off('end', end).off('close', cut);
      // What is left Node reads away.
      resolve(whole);
    };
    const take = (part: Buffer) => {
      const needed = length + part.length;
      if (needed > most) return settle({ ok: false, why: 'long' });
      if (needed > bytes.length) bytes = Buffer.concat([bytes], 2 * needed);
      length += part.copy(bytes, length);
    };
    const end = () => settle({ ok: true, bytes: bytes.subarray(0, length) });
    const cut = () => settle({ ok: false, why: 'cut' });
    request.on('data', take).on('end', end).on('close', cut);
  });
}
