/** What an answer ends with from which secrets were left out; '' for none. */
export function maskedWords(count: number): string {
  if (count === 0) return '';
  const what = count === 1 ? '1 secret was' : `${count} secrets were`;
  return `_${what} masked in this answer (\`mask\` in the configuration)._`;
}

const mark = /‹secret: [^›\n]{1,60}›/;
const note =
  /^_(?:1 secret was|\d{1,9} secrets were) masked in this answer \(`mask` in the configuration\)\._$/;

/** A message of ours as a client shows it, without the words that it ended with. */
export function withoutMaskedWords(text: string): string {
  const whole = text.trimEnd();
  const line = whole.lastIndexOf('\n') + 1;
  if (!note.test(whole.slice(line))) return text;
  let end = line;
  while (whole[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

/** Marks are longer than what they stand for, characters. */
const marks = 2_000;

/** Whether a text, in which secrets may be masked, ends as one does in which they are not. */
export function endsLike(masked: string, end: string): boolean {
  if (masked.endsWith(end)) return true;
  const parts = masked.slice(-(end.length + marks)).split(mark);
  const last = parts.pop() ?? '';
  if (parts.length === 0 || !end.endsWith(last)) return false;
  // What stands before each mark has to stand before what stood there.
  let rest = end.slice(0, end.length - last.length);
  for (const part of parts.toReversed()) {
    const at = rest.lastIndexOf(part);
    if (at < 0) return overlaps(part, rest);
    rest = rest.slice(0, at);
  }
  return true;
}

/** Whether a text begins with the end of another one. */
function overlaps(before: string, text: string): boolean {
  for (let length = Math.min(before.length, text.length); length > 0; length -= 1)
    if (before.endsWith(text.slice(0, length))) return true;
  return false;
}
