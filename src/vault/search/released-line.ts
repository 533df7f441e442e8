// A line of a note with the secret that the index does not hold.

import { findSecrets } from '../../secrets/find-secrets.ts';
import { readInside } from '../files/open-inside.ts';
import { largestNote } from '../notes/bounds.ts';
import { decodeNote } from '../notes/decode-note.ts';
import type { Place } from './releases.ts';

/**
 * @param root of the vault, absolute
 * @returns the lines from that one to the end of its secret; undefined when none begins there now
 * @throws OutsideError, or what the file system says
 */
export async function releasedLine(root: string, { file, line }: Place): Promise<string | undefined> {
  const text = decodeNote(readInside(root, file, largestNote)) ?? '';
  const secrets = findSecrets(text).filter((secret) => secret.line === line);
  const last = secrets.at(-1);
  if (!last) return undefined;
  const lastLine = text.slice(0, last.end).split('\n').length;
  return text
    .split('\n')
    .slice(line - 1, lastLine)
    .join('\n');
}
