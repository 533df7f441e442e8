import { join } from 'node:path';
import { hashId } from '../base/digest.ts';
import { claimDirectory } from '../base/own-path.ts';
import { writePrivate } from '../base/private-file.ts';

const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Keeps what came inside of messages as files: named by content, so that a repeat is the same file. */
export function mediaStore(stateDir: string): (bytes: Uint8Array, mime: string) => string {
  return (bytes, mime) => {
    const dir = claimDirectory(join(stateDir, 'media'));
    const name = hashId(Buffer.from(bytes).toString('base64'), 32);
    const path = join(dir, `${name}.${extensions[mime] ?? 'bin'}`);
    writePrivate(path, bytes);
    return path;
  };
}
