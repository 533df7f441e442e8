// A file's bytes as text, if they are text.

/** Where programs look for a NUL to tell whether a file is binary, bytes. */
const head = 8 * 1024;
/** With more of its characters unreadable, a text is none: one in another 8-bit encoding has some percent. */
const unreadable = 0.3;

/**
 * UTF-8, or UTF-16 if its mark says so, without the mark, and with LF for CRLF, so that lines keep their numbers.
 *
 * @returns undefined for what is not text
 */
export function decodeNote(bytes: Uint8Array): string | undefined {
  const wide = wideEncoding(bytes);
  if (wide === undefined && bytes.subarray(0, head).includes(0)) return undefined;
  const text = new TextDecoder(wide ?? 'utf-8').decode(bytes);
  let broken = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) broken += 1;
  return broken > text.length * unreadable ? undefined : text.replaceAll('\r\n', '\n');
}

function wideEncoding([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}
