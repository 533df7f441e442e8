import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../base/digest.ts';

const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Keeps what came inside of messages as files: named by content, so that a repeat is the same file. */
export function mediaStore(stateDir: string): (bytes: Uint8Array, mime: string) => string {
  const dir = join(stateDir, 'media');
  return (bytes, mime) => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const name = hashId(Buffer.from(bytes).toString('base64'), 32);
    const path = join(dir, `${name}.${extensions[mime] ?? 'bin'}`);
    writeFileSync(path, bytes, { mode: 0o600 });
    return path;
  };
}
