import { expect, test } from 'vitest';
import { readNote } from '../../../src/vault/notes/read-note.ts';

const read = (text: string, path = 'Home/Garden plan.md') => readNote(path, text);

test('takes the title of the frontmatter, else of the first heading, else of the file', () => {
  expect(read('---\ntitle: One\n---\n# Two').title).toBe('One');
  expect(read('text\n## Sub\n# Two #\n# Three').title).toBe('Two');
  expect(read('```\n# code\n```\nTwo\n===').title).toBe('Two');
  expect(read('text').title).toBe('Garden plan');
  expect(read('', 'C:\\notes\\a.b.md').title).toBe('a.b');
  expect(read('', '.hidden').title).toBe('.hidden');
});

test('indexes no frontmatter, valid or not, and counts its lines', () => {
  expect(read('---\ntitle: One\n---\n\ntext').chunks).toEqual([{ line: 5, heading: '', text: 'text' }]);
  expect(read('---\n: [\n---\ntext').chunks).toEqual([{ line: 4, heading: '', text: 'text' }]);
  expect(read('---js\nalert(1)\n---\ntext').chunks[0]?.text).toBe('---js\nalert(1)\n---\ntext');
});

test('joins the tags of frontmatter and text', () => {
  expect(read('---\ntags: [a, "#b"]\n---\n#c and #A, #d/e-f_1 (#no) x#no #2024 #1st').tags).toEqual([
    'a',
    'b',
    'c',
    'd/e-f_1',
    '1st',
  ]);
  expect(read('#größe #计划').tags).toEqual(['größe', '计划']);
});

test('finds no tag in code or headings', () => {
  expect(read('# Title #a\n`#b` `x #c`\n```\n#d\n```\n~~~ #e\n#f').tags).toEqual([]);
});

test('finds where links lead', () => {
  const text =
    '[[A]] ![[pic.png|100]] [[B/C#Part|name]] | [[D\\|x]] | [[A#Other]] [[#Here]] [[]] [no](E.md) `[[F]]`';
  expect(read(`# See [[H]]\n${text}\n\`\`\`\n[[G]]`).links).toEqual(['H', 'A', 'pic.png', 'B/C', 'D']);
});

test('keeps to its bounds', () => {
  const many = Array.from({ length: 2_000 }, (_, at) => `#t${at} [[n${at}]]`).join(' ');
  const { tags, links } = read(`${many} #${'x'.repeat(101)}`);
  expect([tags.length, links.length]).toEqual([100, 1_000]);
  expect(read(`#${'x'.repeat(101)} #${'y'.repeat(100)} [[${'z'.repeat(301)}]]`)).toMatchObject({
    tags: ['y'.repeat(100)],
    links: [],
  });
});
