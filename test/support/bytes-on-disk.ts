// Looks for a text in the raw bytes of files, in every form in which a program may have written it down.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FrameFile } from '../../src/bridge/journal/archive/frame.ts';

/** As it is, in JSON, in JSON within JSON, in JSON of ASCII alone, in base64 wherever it begins, in hex, and in UTF-16. */
export function formsOf(text: string): Buffer[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replaceAll(
    /[^ -~]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const forms = [text, json, JSON.stringify(json).slice(1, -1), ascii, Buffer.from(text).toString('hex')];
  const utf16 = Buffer.from(text, 'utf16le');
  return [...forms.map((form) => Buffer.from(form)), utf16, ...base64Of(text)];
}

/** What base64 of it has in common, whatever stands before and behind it: one form for each of three places to begin. */
const base64Of = (text: string): Buffer[] =>
  [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const sure = Math.floor(whole.length / 3) * 4;
    return Buffer.from(whole.toString('base64').slice(before === 0 ? 0 : 4, sure));
  });

/** Paths of the files below folders, and of what is packed in them, that hold one of the texts in any form. */
export function filesWith(folders: readonly string[], texts: readonly string[]): string[] {
  const forms = texts.flatMap(formsOf);
  return folders.flatMap(filesBelow).filter((path) => {
    const bytes = bytesOf(path);
    return bytes !== undefined && forms.some((form) => bytes.includes(form));
  });
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));

/** @returns undefined for what is no plain file, or none any more */
function bytesOf(path: string): Buffer | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const bytes = readFileSync(path);
  if (path.endsWith('.zst')) return Buffer.concat([bytes, Buffer.from(framesOf(path))]);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? Buffer.concat([bytes, gunzipSync(bytes)]) : bytes;
}

function framesOf(path: string): string {
  const file = new FrameFile(path);
  let text = '';
  for (let frame = file.next(); frame; frame = file.next()) text += frame.text;
  file.close();
  return text;
}
