// An answer must not hide the question behind it where Markdown is drawn with HTML, as on GitHub.
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { closing } from '../../../src/domain/question/dialect.ts';
import { runs } from '../../support/runs.ts';
import { around } from './dom.ts';

const renderer = new MarkdownIt({ html: true });
const harmless = new Set('p div b i span ul ol li blockquote em strong code h1 h2'.split(' '));

/** Whatever could hide a question that stands behind this answer; `['nowhere']` where it is no text. */
function hiders(answer: string): string[] {
  const html = renderer.render(`${answer}${closing(answer, 'markdown')}\n\nQUESTION`);
  const open = around(html, 'QUESTION');
  if (!open) return ['nowhere'];
  return open
    .filter(({ name, attributes }) => !harmless.has(name) || attributes.trim() !== '')
    .map(({ name }) => name);
}

const left = [
  '<div><!--',
  '<details><!--',
  '<svg><![CDATA[',
  '<details>',
  '<details>\n<summary>Steps</summary>\n\nfirst',
  'See <details> here',
  '<div hidden>',
  '<DIV\nHIDDEN>',
  '<div\nhidden',
  '<div/hidden>',
  '<div title="',
  "<div title='",
  '<div title="a > b',
  'so <span style="display:none">',
  '<table>',
  '<table><tr><td>',
  '<select><option>',
  '<template>',
  '<svg>',
  '<xmp>',
  '<title>',
  '<iframe>',
  '<noscript>',
  '- a\n  <details>',
  '> <details>',
  '<details>\n\n```\nls',
  '`<details>` and <details>',
  '` \n`<div hidden>`',
  '\\`<div hidden>\\`',
  '<details><div hidden><table>',
  '<details>\n\n`</details>`',
  '<div title="</details>"><details>',
  '<a href="http://x">',
  '<!-- x --><details>',
];

test.each(left)('what %j leaves open ends in front of the question', (answer) => {
  expect(hiders(answer)).toEqual([]);
});

test('in what stands in blocks of code nothing is open, and nothing is added', () => {
  for (const code of [
    '```html\n<details>\n<div hidden>\n```',
    'Done: a <b>c</b> < d',
    'Array<string> and 1 <2',
  ])
    expect(closing(code, 'markdown')).toBe('');
});

const pieces = [
  '<details>',
  '</details>',
  '<div hidden>',
  '</div>',
  '<table>',
  '<td>',
  '<xmp>',
  '</xmp>',
  '<svg>',
];
const more = [
  '`',
  '```',
  '\n',
  '\n\n',
  '- ',
  '> ',
  '    ',
  '"',
  "'",
  '>',
  '<div a="',
  '<!--',
  '-->',
  '\\',
  'x',
  ' ',
];

test('whatever an answer is made of, the question behind it is seen', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 10 }).map((parts) => parts.join('')),
      (answer) => {
        expect([answer, hiders(answer)]).toEqual([answer, []]);
      },
    ),
    { numRuns: runs(20_000) },
  );
});
