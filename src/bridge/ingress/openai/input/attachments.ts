// Pictures and other parts → words that Claude Code can follow: a path on disk, or the plain fact that one is missing.
import { dataUrlOf } from '../request/data-url.ts';
import type { NewestInput } from './newest-input.ts';

/** Stores bytes for Claude Code to read. @returns the absolute path. */
type SaveMedia = (bytes: Uint8Array, mime: string) => string;

/** OpenClaw's line for a file that it put on disk, where Claude would have to ask before it looks. */
const hubsLine = /^\[media attached[^\n]*\]$/gm;
const isPicture = (line: string): boolean => /\(image\/[\w.+-]+\)/.test(line);

/** The message with a line for each thing that came with it; a picture that OpenClaw has a line for stands in its place. */
export function withAttachments(input: NewestInput, text: string, save: SaveMedia): string {
  const pictures = input.images.map(({ url }) => pictureLine(url, save));
  const others = input.unsupported.map((kind) => `[a part of this message (${kind}) cannot be passed on]`);
  const inPlace = text.match(hubsLine)?.filter(isPicture).length === pictures.length;
  const ours = (line: string) => (isPicture(line) && pictures.shift()) || line;
  const words = inPlace ? text.replace(hubsLine, ours) : text;
  return [words, ...pictures, ...others].filter((part) => part !== '').join('\n');
}

function pictureLine(url: string, save: SaveMedia): string {
  const data = dataUrlOf(url);
  return data ? `[image attached: ${save(data.bytes, data.mime)} (${data.mime})]` : `[image at ${url}]`;
}
