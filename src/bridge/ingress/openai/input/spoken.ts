// Voice messages, as OpenClaw 2026.9.6 hands them over: with what its speech recognition wrote down, or without.
import type { Quote } from '../../../../protocol/quote.ts';
import { jsonOf } from '../request/json-text.ts';

type Heard = Extract<Quote['kind'], 'spoken' | 'unheard'>;

/** A voice message without words below it. Measured on Telegram. */
const bareTranscript = /^\[Audio transcript \(machine-generated, untrusted\)\]: (?=")/;
/** One with words below it, and audio files; several are numbered. Measured, but for the numbers. */
const audioHead = /^\[Audio(?: \d+\/\d+)?\]$/m;
const transcriptHead = '\nTranscript:\n';
/** Why there is none: no model, switched off, failed. The first was measured, the others read in its source. */
const notAnalyzed = /^\[Audio attachment (?:not|could not) [^\]\n]*\]$/m;
/** In place of a transcript, and of the file in releases before 2026.9. Read in its source. */
const tooSmall = '[Voice note could not be transcribed';
const placeholder = '<media:audio>';

/** What a text is that may be a voice message. Somebody who types such words loses by it: they are no verdict. */
export function heardIn(text: string): Heard | undefined {
  if (notAnalyzed.test(text) || text.includes(tooSmall) || text.startsWith(placeholder)) return 'unheard';
  if (bareTranscript.test(text)) return 'spoken';
  return audioHead.test(text) && text.includes(transcriptHead) ? 'spoken' : undefined;
}

/** What was said, of a message that is nothing else; otherwise the text itself. */
export function spokenWords(text: string): string {
  const head = bareTranscript.exec(text)?.[0];
  const said = head === undefined ? undefined : jsonOf(text.slice(head.length));
  if (typeof said === 'string') return said;
  const at = audioHead.test(text) ? text.lastIndexOf(transcriptHead) : -1;
  return at < 0 ? text : text.slice(at + transcriptHead.length);
}
