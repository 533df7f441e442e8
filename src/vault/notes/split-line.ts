import { chunkSize } from './bounds.ts';

/** A line that is too long for a chunk, in parts that are not: cut at blanks, or where there is none, between characters. */
export function splitLine(line: string): string[] {
  const parts: string[] = [];
  let from = 0;
  while (line.length - from > chunkSize.most) {
    const part = line.slice(from, from + chunkSize.target);
    // Looked for in the part alone: a line without blanks would be searched to its beginning each time.
    const blank = Math.max(part.lastIndexOf(' '), part.lastIndexOf('\t'));
    const end = blank > 0 ? blank : wholeCharacters(part);
    parts.push(part.slice(0, end));
    from += end;
  }
  parts.push(line.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function wholeCharacters(part: string): number {
  const last = part.charCodeAt(part.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? part.length - 1 : part.length;
}
