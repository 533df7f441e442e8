// What is to be remembered, made fit for a note: in bounds, and with nothing in it that cannot be seen.
import { clean, cleanLine } from './entry/clean.ts';
import { trim } from './entry/trim.ts';
import { topicFileName } from './file-name.ts';
import { MemoryError } from './memory-error.ts';

export interface MemoryRequest {
  /** Markdown, at most 8,000 characters. */
  readonly text: string;
  /** What it is about, at most 80 characters; without one it goes to the note of its day. */
  readonly topic?: string;
  /** With or without `#`, at most 20. */
  readonly tags?: readonly string[];
  /** Titles of notes that it is about, at most 20. */
  readonly links?: readonly string[];
}

/** A request that can be written. */
export interface Memory {
  /** Lines end with `\n`; neither blank lines nor blanks at its ends. */
  readonly text: string;
  readonly topic: { readonly title: string; readonly stem: string } | undefined;
  /** Without `#`, as Obsidian takes them for tags. */
  readonly tags: readonly string[];
  /** What stands in `[[…]]`. */
  readonly links: readonly string[];
}

const longestText = 8_000;
const longestTopic = 80;
const longestName = 200;
const mostNames = 20;

/** @throws MemoryError when it is out of bounds, or when nothing is left of it */
export function readRequest({ text, topic, tags = [], links = [] }: MemoryRequest): Memory {
  if (text.length > longestText) throw tooLong('The text', text.length, longestText);
  if (topic !== undefined && topic.length > longestTopic)
    throw tooLong('The topic', topic.length, longestTopic);
  const cleaned = clean(text);
  if (cleaned === '') throw MemoryError.invalid('There is nothing to remember: the text is empty.');
  return {
    text: cleaned,
    topic: readTopic(topic),
    tags: readNames('tags', tags, tagOf),
    links: readNames('links', links, titleOf),
  };
}

function tooLong(what: string, length: number, most: number): MemoryError {
  const message = `${what} has ${length} characters; a memory may have ${most}.`;
  return MemoryError.invalid(message, 'Shorten it, or store it in several parts.');
}

function readTopic(topic: string | undefined): Memory['topic'] {
  if (topic === undefined || cleanLine(topic) === '') return undefined;
  const stem = topicFileName(topic);
  if (stem === undefined)
    throw MemoryError.invalid('The topic has no letter or digit that a file could be named by.');
  return { title: cleanLine(topic), stem };
}

function readNames(
  what: string,
  names: readonly string[],
  read: (name: string) => string,
): readonly string[] {
  if (names.length > mostNames)
    throw MemoryError.invalid(`A memory may have ${mostNames} ${what}; ${names.length} were given.`);
  const known = new Map<string, string>();
  for (const name of names) {
    if (name.length > longestName) throw tooLong(`One of the ${what}`, name.length, longestName);
    const found = read(cleanLine(name));
    if (found !== '' && !known.has(found.toLowerCase())) known.set(found.toLowerCase(), found);
  }
  return [...known.values()];
}

/** Letters, digits, `_`, `-` and `/`, not digits alone: what Obsidian reads as one tag. */
function tagOf(name: string): string {
  const tag = name
    .replace(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]+/gu, '-')
    .split('/')
    .map((part) => trim(part, '-'))
    .filter((part) => part !== '')
    .join('/');
  return /^[\p{N}/_-]+$/u.test(tag) ? `_${tag}` : tag;
}

/** Without what means something else in a link. */
const titleOf = (name: string): string =>
  name
    .replace(/[[\]|#^<>]+|%{2,}|\${2,}/g, ' ')
    .replace(/\.md$/i, '')
    .replace(/ +/g, ' ')
    .trim();
