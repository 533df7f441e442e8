import { most } from './bounds.ts';
import { chunksOf } from './chunks.ts';
import { distinct } from './distinct.ts';
import { frontmatterLines } from './frontmatter.ts';
import { headingOf } from './headings.ts';
import { kinds, kindsOf } from './line-kinds.ts';
import { linksOf, tagsOf } from './mentions.ts';
import { readMetadata } from './metadata.ts';
import type { Note } from './note.ts';
import { oneLine } from './one-line.ts';

/**
 * What a note says of itself, and its parts. Linear in the text, and nothing of it is run. Its frontmatter is in no part.
 *
 * @param path of the file: the name of a note that has no title
 * @param text as it was decoded, its secrets masked
 */
export function readNote(path: string, text: string): Note {
  const lines = text.split('\n');
  const first = frontmatterLines(lines);
  const metadata = readMetadata(lines.slice(1, Math.max(1, first - 1)).join('\n'));
  const all = kindsOf(lines, first);
  return {
    title: metadata.title ?? (firstHeading(lines, all) || nameOf(path)),
    tags: distinct(both(metadata.tags, tagsOf(lines, all)), most.tags),
    links: distinct(linksOf(lines, all), most.links),
    aliases: distinct(metadata.aliases, most.aliases),
    chunks: chunksOf(lines, all, first),
  };
}

function* both(first: Iterable<string>, second: Iterable<string>): Generator<string> {
  yield* first;
  yield* second;
}

/** The first of level 1. */
function firstHeading(lines: readonly string[], all: Uint8Array): string {
  for (let at = all.indexOf(kinds.heading); at >= 0; at = all.indexOf(kinds.heading, at + 1)) {
    const { level, text } = headingOf(lines[at] ?? '', lines[at + 1]);
    if (level === 1 && text !== '') return text;
  }
  return '';
}

/** Without folders and extension. */
function nameOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return oneLine(dot > 0 ? name.slice(0, dot) : name, most.title);
}
