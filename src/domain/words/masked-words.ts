/** What an answer ends with from which secrets were left out; '' for none. */
export function maskedWords(count: number): string {
  if (count === 0) return '';
  const what = count === 1 ? '1 secret was' : `${count} secrets were`;
  return `_${what} masked in this answer (\`mask\` in the configuration)._`;
}

const mark = /‹secret: [^›\n]{1,60}›/;
const note =
  /\n*_(?:1 secret was|\d+ secrets were) masked in this answer \(`mask` in the configuration\)\._\s*$/;

/** A message of ours as a client shows it, without the words that it ended with. */
export const withoutMaskedWords = (text: string): string => text.replace(note, '');

/** Whether a text, in which secrets may be masked, ends as one does in which they are not. */
export function endsLike(masked: string, end: string): boolean {
  if (masked.endsWith(end)) return true;
  // The parts between the marks, from the last one on, each before the one behind it.
  const parts = masked.slice(-2 * end.length).split(mark);
  if (parts.length === 1) return false;
  let rest = end;
  for (const [place, part] of parts.toReversed().entries()) {
    if (part.endsWith(rest)) return true;
    const at = place === 0 ? rest.length - part.length : rest.lastIndexOf(part);
    if (at < 0 || !rest.startsWith(part, at)) return false;
    rest = rest.slice(0, at);
  }
  return true;
}
