import { expect, test } from 'vitest';
import { attachmentLines } from '../../../../src/bridge/ingress/openai/attachments.ts';
import type { NewestInput } from '../../../../src/bridge/ingress/openai/newest-input.ts';

const saved = (url: string) => {
  const stored: [string, string][] = [];
  const input = { images: [{ url }], unsupported: [] } as unknown as NewestInput;
  attachmentLines(input, '', (bytes, mime) => {
    stored.push([Buffer.from(bytes).toString('utf8'), mime]);
    return '/media/x';
  });
  return stored;
};

test.each([
  ['data:image/png;base64,cGl4ZWxz', 'pixels', 'image/png'],
  ['data:image/png;name=a.png;base64,cGl4ZWxz', 'pixels', 'image/png'],
  ['data:image/svg+xml;charset=utf-8,%3Csvg/%3E', '<svg/>', 'image/svg+xml'],
  ['data:;base64,cGl4ZWxz', 'pixels', 'application/octet-stream'],
  ['data:,plain', 'plain', 'application/octet-stream'],
])('%s is stored as what it encodes', (url, text, mime) => {
  expect(saved(url)).toEqual([[text, mime]]);
});
