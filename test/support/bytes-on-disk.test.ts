// What looks for the bytes of a text finds them, or a test that finds none would say nothing.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { filesWith } from './bytes-on-disk.ts';

const text = 'Grüße, "Zwölf" 4711';
const json = JSON.stringify({ text });

test.each([
  ['as it is', Buffer.from(`before ${text} behind`)],
  ['in JSON', Buffer.from(json)],
  ['in JSON within JSON', Buffer.from(JSON.stringify({ json }))],
  ['in JSON of ASCII', Buffer.from(String.raw`{"text":"Gr\u00fc\u00dfe, \"Zw\u00f6lf\" 4711"}`)],
  ['in UTF-16', Buffer.from(text, 'utf16le')],
  ['in hex', Buffer.from(Buffer.from(text).toString('hex'))],
  ['packed', gzipSync(text)],
  ...['', 'x', 'xx', 'xxx'].map((before): [string, Buffer] => [
    `in base64 behind ${before.length} bytes`,
    Buffer.from(Buffer.from(`${before}${text} and more`).toString('base64')),
  ]),
])('a text that lies in a file %s is found there', (_, bytes) => {
  const folder = mkdtempSync(join(tmpdir(), 'bytes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'below'));
  const path = join(folder, 'below', 'file');
  writeFileSync(path, bytes);
  writeFileSync(join(folder, 'other'), 'Grüße, "Zwölf" 4712');
  expect(filesWith([folder], ['another', text])).toEqual([path]);
});
