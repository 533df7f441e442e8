import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { entryOf } from '../../../src/vault/memory/entry/entry.ts';
import { readRequest } from '../../../src/vault/memory/memory-request.ts';

const markdown = new MarkdownIt({ html: true });

/** What a reader of Markdown makes of some memories in a row. */
function readBack(texts: readonly string[], links: readonly string[] = []) {
  const note = texts
    .map((text) => entryOf(readRequest({ text, tags: ['tag'], links }), '14:05').text)
    .join('');
  const tokens = markdown.parse(`# Head\n\n${note}\n# Foot\n`, {});
  const top = tokens.filter(({ level, nesting }) => level === 0 && nesting >= 0).map(({ type }) => type);
  const types = new Set(tokens.map(({ type }) => type));
  const items = tokens.filter(({ type, level }) => type === 'list_item_open' && level === 1).length;
  return { note, top, types, items };
}

const escapes = {
  headings: 'first\n# one\n###### six\n#\ntext\n===\ntext\n---\nx\n-\ny\n=',
  fences: 'first\n```js\ncode\n~~~\nmore',
  'an open fence in a list': 'first\n- ```\n- x',
  'a fence in a quote': 'first\n> ```\n> # head\n> ---',
  rules: 'first\n---\n***\n___\n- - -\n* * *',
  frontmatter: '---\ntitle: x\n---\ntext',
  'comments of HTML': 'first <!-- open\n<!-- more\n<? x\n<![CDATA[ x',
  'tags of HTML': 'first\n<script>\n<div>\n</div>\n<pre>',
  definitions: 'first\n\n[a]: http://example.org\n\n[^1]: note',
  'what is escaped already': 'first\n\\# x\n\\\\<!-- y\n\\<!-- z',
};

test.each(Object.entries(escapes))('%s stay in their memory, as text', (_, text) => {
  const { top, types, items } = readBack(['before', text, 'after']);
  expect([top, items]).toEqual([['heading_open', 'bullet_list_open', 'heading_open'], 3]);
  for (const type of ['fence', 'hr', 'html_block', 'front_matter']) expect(types.has(type), type).toBe(false);
});

test("Obsidian's comments, mathematics and ids of blocks are text", () => {
  const { note } = readBack(['a %% b\n%%%\n$$\nx ^id\n^other-id\ny ^m-0123456789', 'z']);
  const lines = note.split('\n');
  expect(lines.slice(0, 6)).toEqual([
    '- 14:05 a \\%\\% b',
    '  \\%\\%\\%',
    '  \\$\\$',
    '  x \\^id',
    '  \\^other-id',
    '  y \\^m-0123456789',
  ]);
});

test('lists, quotes, tables and links keep their meaning, within the memory', () => {
  const { items, types, note } = readBack([
    'Buy:\n- oak\n- glue\n\n> said Anna\n\n[[Note]] **bold**',
    'next',
  ]);
  expect([items, types.has('blockquote_open')]).toEqual([2, true]);
  expect(note).toContain('  - oak\n  - glue\n\n  > said Anna\n\n  [[Note]] **bold**\n\n  #tag ^m-');
});

test('control characters and what turns the direction of writing are left out, emoji are not', () => {
  const { text } = readRequest({ text: '\u0007a\u202eb\r\nc\u2028d\te 👩‍🔧 e\u0301\ud800' });
  expect(text).toBe('ab\nc\nd    e 👩‍🔧 é\ufffd');
});

const pieces = fc.constantFrom(
  '\n',
  '\n\n',
  ' ',
  '    ',
  '#',
  '# ',
  '-',
  '- ',
  '---',
  '=',
  '```',
  '~~~',
  '>',
  '<!--',
  '<div>',
  '</',
  '%%',
  '$$',
  '^a',
  '[a]: b',
  '1. ',
  '\\',
  '`',
  '*',
  '_',
  '|',
  'word',
  '[[',
  ']]',
  '![',
  '\t',
);

test('whatever a memory says, a reader finds the one before it, it, and the one behind it, each an item of one list', () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { minLength: 1, maxLength: 14 }),
      fc.array(pieces, { maxLength: 4 }),
      (parts, title) => {
        const text = `x${parts.join('')}`;
        const { top, items, types, note } = readBack(['before', text, 'after'], [title.join('')]);
        expect([top, items]).toEqual([['heading_open', 'bullet_list_open', 'heading_open'], 3]);
        for (const type of ['fence', 'hr', 'html_block'])
          expect(types.has(type), `${type}\n${note}`).toBe(false);
        expect(note.split('\n').filter((line) => /(?:^|\s)\^[\w-]+\s*$/.test(line)).length).toBe(3);
      },
    ),
  );
});
