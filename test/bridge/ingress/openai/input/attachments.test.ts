import { describe, expect, test } from 'vitest';
import { withAttachments } from '../../../../../src/bridge/ingress/openai/input/attachments.ts';
import type { NewestInput } from '../../../../../src/bridge/ingress/openai/input/newest-input.ts';

const saved = (url: string) => {
  const stored: [string, string][] = [];
  const input = { images: [{ url }], unsupported: [] } as unknown as NewestInput;
  withAttachments(input, '', (bytes, mime) => {
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
  ['data:text/plain,100%25 of 5 € is 100%', '100% of 5 € is 100%', 'text/plain'],
])('%s is stored as what it encodes', (url, text, mime) => {
  expect(saved(url)).toEqual([[text, mime]]);
});

describe('a picture that the hub has put on disk, where Claude would have to ask', () => {
  const words = (text: string, count: number) => {
    let saved = 0;
    const images = Array.from({ length: count }, () => ({ url: 'data:image/png;base64,cGl4ZWxz' }));
    const input = { images, unsupported: [] } as unknown as NewestInput;
    return withAttachments(input, text, () => `/ours/${++saved}.png`);
  };

  test('stands in place of the hub’s line', () => {
    expect(words('[media attached: /hub/a b.png (image/png)]\nwhat is it?', 1)).toBe(
      '[image attached: /ours/1.png (image/png)]\nwhat is it?',
    );
    expect(
      words(
        '[media attached 1/2: /hub/a.jpg (image/jpeg)]\n[media attached 2/2: /hub/b.png (image/png) | b]\nboth',
        2,
      ),
    ).toBe('[image attached: /ours/1.png (image/png)]\n[image attached: /ours/2.png (image/png)]\nboth');
  });

  test('follows where the lines do not fit, and other files stay where they are', () => {
    expect(words('[media attached: /hub/a.pdf (application/pdf)]\nread it', 1)).toBe(
      '[media attached: /hub/a.pdf (application/pdf)]\nread it\n[image attached: /ours/1.png (image/png)]',
    );
    expect(words('what is it?', 1)).toBe('what is it?\n[image attached: /ours/1.png (image/png)]');
    expect(words('', 1)).toBe('[image attached: /ours/1.png (image/png)]');
    expect(words('[media attached: /hub/a.png (image/png)]', 0)).toBe(
      '[media attached: /hub/a.png (image/png)]',
    );
  });
});
