// Pictures and other parts → words that Claude Code can follow: a path on disk, or the plain fact that one is missing.
import type { NewestInput } from './newest-input.ts';

/** Stores bytes for Claude Code to read. @returns the absolute path. */
export type SaveMedia = (bytes: Uint8Array, mime: string) => string;

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[^;,]*)*?(;base64)?,(.*)$/s;

/** Lines to append to the message; '' when nothing came with it. */
export function attachmentLines(input: NewestInput, text: string, save: SaveMedia): string {
  // OpenClaw has put the file on disk already and says where.
  const onDisk = /^\[media attached: /m.test(text);
  const pictures = onDisk ? [] : input.images.map(({ url }) => pictureLine(url, save));
  const others = input.unsupported.map((kind) => `[a part of this message (${kind}) cannot be passed on]`);
  return [...pictures, ...others].join('\n');
}

function pictureLine(url: string, save: SaveMedia): string {
  const [, mime = 'application/octet-stream', base64, body = ''] = dataUrl.exec(url) ?? [];
  if (!url.startsWith('data:')) return `[image at ${url}]`;
  const bytes = base64 ? Buffer.from(body, 'base64') : Buffer.from(decodeURIComponent(body));
  return `[image attached: ${save(bytes, mime)} (${mime})]`;
}
