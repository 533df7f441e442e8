// A memory as an item of the list in its note. Its id is of its text alone: the same text is found again by it.
import { hashId } from '../../../base/digest.ts';
import type { Memory } from '../memory-request.ts';
import { quietInline, quietLine } from './quiet.ts';

export interface Entry {
  /** `m-` and 10 hex digits, the name of a block in Obsidian: `[[2026-11-23#^m-0123456789]]`. */
  readonly id: string;
  /** Whole lines. */
  readonly text: string;
}

/** The same for texts that differ in their blanks alone. */
export const memoryId = (text: string): string => `m-${hashId(text.replace(/\s+/g, ' ').trim(), 10)}`;

/** Signs that begin a block of their own, which a line right below would be taken for a part of. */
const block = /^ *(?:[-*+>|]|\d{1,9}[.)] )/;

/** @param stamp in front of the text: `14:05` */
export function entryOf({ text, tags, links }: Memory, stamp: string): Entry {
  const id = memoryId(text);
  const [first = '', ...others] = text.split('\n');
  const about = links.map((title) => `[[${title}]]`).join(', ');
  const tail = [about && `→ ${about}`, ...tags.map((tag) => `#${tag}`), `^${id}`].filter(Boolean).join(' ');
  const head = `- ${stamp} ${quietInline(first)}`;
  if (others.length === 0) return { id, text: `${head} ${tail}\n` };
  const lines = others.map((line) => (line === '' ? '' : `  ${quietLine(line)}`));
  const gap = others.some((line) => block.test(line)) ? [''] : [];
  return { id, text: `${[head, ...lines, ...gap, `  ${tail}`].join('\n')}\n` };
}
