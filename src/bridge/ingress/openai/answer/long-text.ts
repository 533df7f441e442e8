// JSON with a long text in it, in parts: the text is never whole in memory, and a slow client is waited for in between.
import { randomUUID } from 'node:crypto';
import { escapeUnits } from '../../../../base/text/escape-units.ts';
import { partEnd, type Readable } from '../../../../domain/state/text.ts';

/** Stands in JSON where a long text belongs. New at every start: nobody outside can write it. */
export const longText: string = randomUUID();

/** Longest part, UTF-16 code units of the text. */
const longestPart = 32_768;

/** The parts of `json`, with `text` wherever {@link longText} stands in a string of it. */
export function* partsOf(json: string, text: Readable): Generator<string> {
  const [first = '', ...others] = json.split(longText);
  yield first;
  for (const other of others) {
    for (let from = 0; from < text.length; ) {
      const end = partEnd(text, from, longestPart);
      yield sseJson(text.slice(from, end)).slice(1, -1);
      from = end;
    }
    yield other;
  }
}

/**
 * JSON in one line, whatever a client takes for the end of one: JSON escapes every line break of SSE and lone surrogates;
 * U+0085, U+2028 and U+2029 are escaped, too, because clients that split lines the Python way break there.
 */
export const sseJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\x7f-\x9f\u2028\u2029]+/g, escapeUnits);
