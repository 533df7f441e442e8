// A text for the clipboard of the operator's terminal (OSC 52).
import { safeProse } from '../../output/safe.ts';
import { passed } from '../call-text.ts';

/** Most that is copied, bytes of UTF-8: some terminals take no sequence of more than 100,000 characters. */
const mostBytes = 70_000;

export interface Copied {
  /** For the terminal. */
  sequence: string;
  /** What was done, for people. */
  words: string;
}

/** Signs of control stay behind: what is pasted into a shell does nothing by itself that cannot be seen. */
export function copyText(what: string, text: string, inTmux: boolean): Copied {
  const clean = safeProse(text);
  const part = beginning(clean, mostBytes);
  const sequence = passed(`\u001b]52;c;${Buffer.from(part).toString('base64')}\u0007`, inTmux);
  const cut = part.length < clean.length ? `, the first ${part.length} of ${clean.length} characters` : '';
  return { sequence, words: `${what} was handed to the clipboard of your terminal${cut}` };
}

function beginning(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
