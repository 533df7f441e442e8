import { join } from 'node:path';
import { hashId } from '../base/digest.ts';
import { claimDirectory } from '../base/files/own-path.ts';
import { writePrivate } from '../base/files/private-file.ts';

const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** In the state folder, what came with the messages of a conversation: its Claude Code may look into it, and into no other. */
export const mediaFolder = (key: string): string => join('media', hashId(key));

/** Keeps what came inside of messages as files: named by content, so that a repeat is the same file. */
export function mediaStore(stateDir: string): (key: string, bytes: Uint8Array, mime: string) => string {
  return (key, bytes, mime) => {
    claimDirectory(join(stateDir, 'media'));
    const dir = claimDirectory(join(stateDir, mediaFolder(key)));
    const name = hashId(Buffer.from(bytes).toString('base64'), 32);
    const path = join(dir, `${name}.${extensions[mime] ?? 'bin'}`);
    writePrivate(path, bytes);
    return path;
  };
}
