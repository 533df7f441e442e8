// The one gate for foreign text. Nothing that passes it can move the cursor, change a colour, fill the clipboard, hide
// behind a carriage return or reorder what is read. Everything that is printed passes it, ours included.
import { escapeUnits } from '../../base/text/escape-units.ts';
import { marker } from '../../base/text/marker.ts';

/** CSI: parameters, intermediates, a final byte. Also in its one-byte C1 form. */
const csi = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;
/**
 * OSC, DCS, SOS, PM and APC with their payload; an unfinished one loses only its introducer, so nothing can hide in it. No
 * payload holds an introducer, which keeps a row of them from being searched to the end from each.
 */
const strings =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d\u009e\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)/g;
/** Every other escape sequence of two or three bytes. */
const escapes = /\u001b[ -/]*[0-~]?/g;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Joiners and variation selectors: terminals disagree on how wide they make a cell. */
const joiners = /\u200c|\u200d|[\ufe00-\ufe0f]/g;
const plain = /^[\n\t\x20-\x7e]*$/;
const mayHoldSequences = /[\u001b\u0080-\u009f]/;

/**
 * Characters that are not seen but change what is: bidi, zero width, tags. Arabic number signs are visible and stay. Made
 * when it is wanted, because `\p` fetches an alphabet: half a millisecond of every start.
 */
function invisible(): RegExp {
  made ??=
    /(?:(?!\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])(?:[\p{Cf}\u115f\u1160\u3164\uffa0]|\u034f))+/gu;
  return made;
}
let made: RegExp | undefined;

/** Whether there is a character in it that is not seen but changes what is. */
export const hidesSomething = (text: string): boolean => text.search(invisible()) >= 0;

/** @returns the text with no C0 or C1 character but `\n` and `\t`; invisible characters shown as `⟦U+202E⟧`. */
export const safe = (text: string): string =>
  plain.test(text) ? text : safeProse(text).replace(joiners, '');

/** As `safe`, with the joiners that Persian, Hindi and others are written with: for a text that fills no cells. */
export function safeProse(text: string): string {
  if (plain.test(text)) return text;
  const cut = mayHoldSequences.test(text)
    ? text.replace(strings, '').replace(csi, '').replace(escapes, '')
    : text;
  /** More marks on one letter than any language has would paint over the neighbouring rows. */
  const towers = /(\p{M}{4})\p{M}+/gu;
  return cut
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(controls, '')
    .toWellFormed()
    .replace(invisible(), marker())
    .replace(towers, '$1');
}

/** For one row: runs of blanks, line ends and tabs are one blank. */
export const safeLine = (text: string): string => safe(text).replace(/[\n\t ]+/g, ' ');

/** As `safe`, for a row that is laid out already: its blanks stay as many as they are. */
export const safeRow = (text: string): string => safe(text).replace(/[\n\t]/g, ' ');

/** JSON that means the same and holds no control, bidi or line-separating character in the raw. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g,
    escapeUnits,
  );
}
