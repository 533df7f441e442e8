// A topic as the name of a file, on every system that a vault may be synced to, and in Obsidian's links.
import { isDevice } from '../files/windows-name.ts';
import { cleanLine } from './entry/clean.ts';
import { trimEnd } from './entry/trim.ts';

/** Bytes in UTF-8: room for ` 9999.md` in what a file system takes, 255. */
const longestStem = 240;

/** Not allowed on Windows, or with a meaning in a link. What looks like them is left out as well: it would be no path. */
const separators = /[\\/:|\u2044\u2215\u29f8\uff0f\uff3c\u2216]+/g;
const forbidden = /[*?"<>#^[\]\u2024\uff0e\ufe52]+|\p{Cf}+/gu;

/** @returns the name without `.md`; undefined when the topic has nothing that a file could be named by */
export function topicFileName(topic: string): string | undefined {
  const named = cleanLine(topic)
    .replace(/\.md$/i, '')
    .replace(separators, '-')
    .replace(forbidden, ' ')
    .replace(/%(?=[0-9a-f]{2}|u)/gi, ' ')
    .replace(/ +/g, ' ')
    .replace(/^[.~ …‥]+/u, '');
  const stem = withoutEnd(cutToBytes(withoutEnd(named), longestStem));
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(stem)) return undefined;
  return isDevice(stem) || stem.toLowerCase() === 'node_modules' ? `_${stem}` : stem;
}

/** By what two names are the same file on a disk that does not tell upper case from lower. */
export const sameFileKey = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase();

const withoutEnd = (name: string): string => trimEnd(name, '. ');

function cutToBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  let cut = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Buffer.byteLength(cut) + Buffer.byteLength(segment) > most) break;
    cut += segment;
  }
  return cut;
}
