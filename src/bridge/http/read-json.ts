import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
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
    return { ok: true, value: mayPoison(body.text) ? parse(body.text) : JSON.parse(body.text) };
  } catch {
    return { ok: false, why: 'invalid' };
  }
}

/**
 * Whether a key may be in it that is refused, `__proto__` or the `prototype` of a `constructor`, as it is or in other
 * letters. A long body is mostly without; each look through all of it counts.
 */
const mayPoison = (text: string): boolean =>
  text.startsWith('\ufeff') ||
  text.includes('\\u00') ||
  (text.includes('proto') && (text.includes('__proto__"') || text.includes('prototype"')));

type Text = { ok: true; text: string } | { ok: false; why: 'long' | 'cut' };

/** Decoded as it comes, while the rest is on its way. Nothing of it is kept by the request, which lives as long as its response. */
function readText(request: IncomingMessage, most: number): Promise<Text> {
  return new Promise((resolve) => {
    const decoder = new StringDecoder('utf8');
    let text = '';
    let length = 0;
    const settle = (whole: Text) => {
      request.off('data', take).off('end', end).off('close', cut);
      // What is left Node reads away.
      resolve(whole);
    };
    const take = (part: Buffer) => {
      length += part.length;
      if (length > most) settle({ ok: false, why: 'long' });
      else text += decoder.write(part);
    };
    const end = () => settle({ ok: true, text: text + decoder.end() });
    const cut = () => settle({ ok: false, why: 'cut' });
    if (Number(request.headers['content-length']) > most) return settle({ ok: false, why: 'long' });
    request.on('data', take).on('end', end).on('close', cut);
  });
}
