// A note as the index keeps it. What is secret in it is gone before anything else looks at it.
import { hash } from 'node:crypto';
import { findSecrets } from '../../secrets/find-secrets.ts';
import { masked } from '../../secrets/masked.ts';
import { codeOf } from '../files/folder.ts';
import { readInside } from '../files/open-inside.ts';
import { unreadable } from '../files/vault-missing-error.ts';
import type { Stamp } from '../files/walk.ts';
import type { KnownNote, NoteRow } from '../index/index-writer.ts';
import { largestNote } from '../notes/bounds.ts';
import { decodeNote } from '../notes/decode-note.ts';
import { readNote } from '../notes/read-note.ts';

/** @returns undefined when its bytes are those that are known */
export async function readForIndex(
  root: string,
  path: string,
  { mark, mtimeMs: modified }: Stamp,
  known: KnownNote | undefined,
): Promise<NoteRow | undefined> {
  const empty = { path, mark, modified, title: '', tags: [], aliases: [], chunks: [], secrets: [] };
  let bytes: Buffer;
  try {
    bytes = readInside(root, path, largestNote);
  } catch (error) {
    return { ...empty, hash: new Uint8Array(), problem: whyUnread(error) };
  }
  const digest = hash('sha256', bytes, 'buffer');
  if (known && Buffer.compare(known.hash, digest) === 0) return undefined;
  const text = decodeNote(bytes);
  if (text === undefined) return { ...empty, hash: digest, problem: 'is no text' };
  const secrets = findSecrets(text);
  const note = readNote(path, masked(text, secrets));
  return { ...empty, hash: digest, ...note, secrets, problem: null };
}

/** To stand behind its path. */
function whyUnread(error: unknown): string {
  const code = codeOf(error);
  if (code === 'EFBIG') return `has more than ${largestNote} bytes`;
  return unreadable(code);
}
