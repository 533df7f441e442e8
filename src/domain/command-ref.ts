import { hashId } from '../base/digest.ts';
import { isPlainWord } from '../base/text/plain-word.ts';

const longestKey = 200;

/**
 * What names a session in a command that is there to be copied: its key, or its id where a shell could read anything but a
 * word in that. Keys are foreign text.
 */
export const commandRef = (key: string): string =>
  key.length <= longestKey && isPlainWord(key) ? key : hashId(key, 12);
