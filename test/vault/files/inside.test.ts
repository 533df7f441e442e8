import { resolve, sep } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inside, OutsideError } from '../../../src/vault/files/inside.ts';

const root = resolve('/home/anna/Secret place/vault');

const good: Record<string, string> = {
  'House.md': 'House.md',
  'Projects/House.md': 'Projects/House.md',
  './Projects//House.md': 'Projects/House.md',
  'Projects/./House.md/': 'Projects/House.md',
  'Küche – Pläne (2026).md': 'Küche – Pläne (2026).md',
  '台所/🏠 家.md': '台所/🏠 家.md',
  '100% sure.md': '100% sure.md',
  '50%2Foff.md': '50%2Foff.md',
  'Wait… what.md': 'Wait… what.md',
  'AC\u2215DC.md': 'AC\u2215DC.md',
  'a..b.md': 'a..b.md',
  '.obsidian/app.json': '.obsidian/app.json',
  'Console.md': 'Console.md',
  'At 14:05 it rained.md': 'At 14:05 it rained.md',
};

test.each(Object.entries(good))('%j is inside', (name, path) => {
  expect(inside(root, name)).toBe(path);
});

const bad: Record<string, string[]> = {
  'that goes up': [
    '..',
    '../a.md',
    'a/../../b.md',
    'a/../b.md',
    'a/..',
    '.../a.md',
    'a/.. /b.md',
    '..a/../..',
  ],
  'from the root of a disk': ['/', '/etc/passwd', '//server/share/a.md', '~', '~/a.md', '~root/a.md'],
  'with control characters': ['a\0.md', 'a\n.md', '\u001b[31m.md', 'a\u0085b', 'a\u2028b', 'a\u007f.md'],
  'of Windows': ['C:\\a.md', 'C:', 'C:a.md', 'c:/a.md', '\\\\server\\a.md', 'a\\b.md', '..\\a.md'],
  'of a device': ['CON', 'con.md', 'a/NUL', 'aux.x.md', 'COM1', 'lpt9.md', 'COM¹', 'CONIN$', 'nul .md'],
  'that Windows would cut': ['a. ', 'a.md.', 'a.md ', 'folder./a.md', 'folder /a.md'],
  'of a stream': ['a.md::$DATA', 'a.md:$DATA', 'a.md:x:$DATA'],
  'that is encoded': [
    '%2e%2e/a.md',
    '..%2fa.md',
    '%2e%2e%2fa.md',
    '%252e%252e/a.md',
    '%25252e%25252e%2f',
    '%2fetc',
    '%c0%ae%c0%ae/a',
    '..%5ca',
    '%u002e%u002e/a',
    'a%00.md',
  ],
  'that looks like another': [
    '\u2024\u2024/a.md',
    '..\u2215a.md',
    '\uff0e\uff0e\uff0fa',
    '\u2025/a.md',
    '\u2215etc',
    '.\u200b./a.md',
    '.\u00ad./a',
    '\uff0e%2e/a',
    '\uff3cserver',
  ],
  'that is no text': ['a\ud800.md'],
  'that is too long': ['x'.repeat(256), 'é'.repeat(128), 'a/'.repeat(513), `${'a'.repeat(200)}/`.repeat(6)],
  'that is empty': ['', '.', './', '././.'],
};

test.each(Object.entries(bad))('a path %s is refused in words', (_, names) => {
  for (const name of names) {
    expect(() => inside(root, name), JSON.stringify(name)).toThrow(OutsideError);
    expect(() => inside(root, name)).not.toThrow(/anna|Secret place/);
  }
});

test('a message shows what was given on one line, short, and with nothing unseen in it', () => {
  const message = (name: string) => {
    try {
      return inside(root, name);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(message('../a"b')).toBe(`"../a'b" leads out of the vault.`);
  expect(message('../\u202egnp\n\n# x')).toBe('"../⟦U+202E⟧gnp⟦U+000A×2⟧# x" holds control characters.');
  expect(message(`../${'x'.repeat(5_000)}`)).toHaveLength(2 + 80 + 1 + ' is too long for a path.'.length);
});

const nasty = fc.array(
  fc.constantFrom(
    '.',
    '..',
    '/',
    '\\',
    'a',
    '%2e',
    '%2f',
    '%25',
    '%5c',
    '\u2024',
    '\u2215',
    '\uff0e',
    ':',
    'C',
    '~',
    ' ',
    '\0',
    '\u200b',
  ),
  { maxLength: 12 },
);

test('whatever is written, it is refused or leads to nothing outside of the vault, also when a reader decodes it once more', () => {
  fc.assert(
    fc.property(nasty, (pieces) => {
      let path: string;
      try {
        path = inside(root, pieces.join(''));
      } catch (error) {
        expect(error).toBeInstanceOf(OutsideError);
        return;
      }
      const readers = [(text: string) => text, (text: string) => text.normalize('NFKC'), unescape];
      for (const read of readers) expect((resolve(root, read(path)) + sep).startsWith(root + sep)).toBe(true);
      expect(inside(root, path)).toBe(path);
    }),
  );
});
