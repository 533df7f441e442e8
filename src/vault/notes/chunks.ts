// Cuts a note into parts that are found one by one: at headings, at blank lines where a section is too long, and only
// where there is no other way between lines of a paragraph or code block, or inside of a line.
import { chunkSize } from './bounds.ts';
import { kinds } from './line-kinds.ts';
import type { Chunk } from './note.ts';
import { type Section, sectionsOf } from './sections.ts';
import { splitLine } from './split-line.ts';

/**
 * @param lines of the note
 * @param all the kind of each
 * @param first lines before it are not part of any chunk
 */
export function chunksOf(lines: readonly string[], all: Uint8Array, first: number): Chunk[] {
  const chunks: Chunk[] = [];
  // Short sections go together: alone, each of them says too little to be found.
  let held: { from: number; to: number; size: number; heading: string } | undefined;
  for (const { trail, ...section } of sectionsOf(lines, all, first))
    for (const [from, to] of rangesOf(lines, all, section)) {
      const size = sizeOf(lines, from, to);
      if (held && held.size + size <= chunkSize.target) {
        held.to = to;
        held.size += size;
        continue;
      }
      if (held) push(chunks, lines, held.from, held.to, held.heading);
      held = { from, to, size, heading: trail };
    }
  if (held) push(chunks, lines, held.from, held.to, held.heading);
  return chunks;
}

type Lines = Omit<Section, 'trail'>;

/** From a line to the one behind the last. */
type Range = readonly [from: number, to: number];

/** Blocks that fit into one chunk together; a block that fits into none, line by line. */
function* rangesOf(lines: readonly string[], all: Uint8Array, section: Lines): Generator<Range> {
  let from = section.from;
  let size = 0;
  for (const [start, end] of blocksOf(all, section)) {
    const more = sizeOf(lines, start, end);
    if (size > 0 && size + more > chunkSize.target) {
      yield [from, start];
      from = start;
      size = 0;
    }
    size += more;
    // The last end of line is not part of the text.
    if (size - 1 > chunkSize.most) {
      yield* piecesOf(lines, from, end);
      from = end;
      size = 0;
    }
  }
  if (from < section.to) yield [from, section.to];
}

/** Paragraphs and code blocks, each with the blank lines behind it. Headings go with what is below them. */
function* blocksOf(all: Uint8Array, { from, to }: Lines): Generator<Range> {
  let start = from;
  let hasBody = false;
  let blank = false;
  for (let at = from; at < to; at += 1) {
    const kind = all[at];
    if (kind === kinds.blank) {
      blank = true;
      continue;
    }
    if (blank && hasBody) {
      yield [start, at];
      start = at;
      hasBody = false;
    }
    blank = false;
    hasBody ||= kind === kinds.text || kind === kinds.code;
  }
  yield [start, to];
}

/** Lines that fit into one chunk together. */
function* piecesOf(lines: readonly string[], start: number, end: number): Generator<Range> {
  let from = start;
  let size = 0;
  for (let at = start; at < end; at += 1) {
    const more = (lines[at]?.length ?? 0) + 1;
    if (size > 0 && size + more > chunkSize.target) {
      yield [from, at];
      from = at;
      size = 0;
    }
    size += more;
  }
  yield [from, end];
}

function sizeOf(lines: readonly string[], from: number, to: number): number {
  let size = 0;
  for (let at = from; at < to; at += 1) size += (lines[at]?.length ?? 0) + 1;
  return size;
}

/** Without blank lines around it; nothing if that is all. */
function push(chunks: Chunk[], lines: readonly string[], start: number, end: number, heading: string): void {
  let [from, to] = [start, end];
  while (from < to && lines[from]?.trim() === '') from += 1;
  while (from < to && lines[to - 1]?.trim() === '') to -= 1;
  if (from === to) return;
  const line = from + 1;
  const text = lines.slice(from, to).join('\n');
  if (text.length <= chunkSize.most) chunks.push({ line, heading, text });
  // More than one line is never too long here.
  else for (const part of splitLine(text)) chunks.push({ line, heading, text: part });
}
