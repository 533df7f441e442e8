import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkSize } from '../../../src/vault/notes/bounds.ts';
import { readNote } from '../../../src/vault/notes/read-note.ts';
import { runs } from '../../support/runs.ts';

const chunks = (text: string) => readNote('a.md', text).chunks;
const texts = (text: string): string[] => chunks(text).map((chunk) => chunk.text);
const fill = (length: number) => 'word '.repeat(length / 5).trim();

describe('a note is cut', () => {
  /** Two of them do not fit into one chunk. */
  const long = fill(700);

  test('at headings, each with the trail that leads to it', () => {
    expect(chunks(`${long}\n# A #\n${long}\n## B\n${long}\n### C\n${long}\n## D\n${long}`)).toEqual([
      { line: 1, heading: '', text: long },
      { line: 2, heading: 'A', text: `# A #\n${long}` },
      { line: 4, heading: 'A › B', text: `## B\n${long}` },
      { line: 6, heading: 'A › B › C', text: `### C\n${long}` },
      { line: 8, heading: 'A › D', text: `## D\n${long}` },
    ]);
  });

  test('at headings of two lines', () => {
    expect(chunks(`A\n=\n${long}\n\nB\n---\n${long}`)).toEqual([
      { line: 1, heading: 'A', text: `A\n=\n${long}` },
      { line: 5, heading: 'A › B', text: `B\n---\n${long}` },
    ]);
  });

  test('so that short sections are together, under the heading of the first', () => {
    expect(chunks(`# A\nin a\n## B\nin b\n# C\n${fill(1_180)}\n# D\nin d`)).toEqual([
      { line: 1, heading: 'A', text: '# A\nin a\n## B\nin b' },
      { line: 5, heading: 'C', text: `# C\n${fill(1_180)}\n# D\nin d` },
    ]);
  });

  test.each([
    'a\n\n---\n\nb',
    '- a\n---\nb',
    '| a |\n---\nb',
    'two\nlines\n---\nb',
    '#a\nb',
    '    # a\nb',
    '####### a',
  ])('at no heading where there is none: %j', (text) =>
    expect(chunks(text)).toEqual([{ line: 1, heading: '', text }]),
  );

  test('not below a heading that has nothing below it', () => {
    expect(chunks(`# A\n\n## B\n\n${long}\n\n## C\n${long}`)).toEqual([
      { line: 1, heading: 'A › B', text: `# A\n\n## B\n\n${long}` },
      { line: 7, heading: 'A › C', text: `## C\n${long}` },
    ]);
  });

  test('not in code, however its fence looks', () => {
    for (const code of [
      '```\n# a\n```',
      '~~~ sh\n# a\n```\n# b\n~~~',
      '   ````\n```\n# a\n   `````',
      '```\n# a\n``` not the end\n# b',
      '```\n# a\n\n# b',
    ])
      expect(chunks(`text\n\n${code}`)).toEqual([{ line: 1, heading: '', text: `text\n\n${code}` }]);
    expect(texts(`\`\`\` a\`b\n${long}\n# A\n${long}`)).toHaveLength(2);
  });

  test('at blank lines, if it is too long', () => {
    const parts = [fill(600), fill(500), fill(400)];
    expect(chunks(parts.join('\n\n\n'))).toEqual([
      { line: 1, heading: '', text: `${parts[0]}\n\n\n${parts[1]}` },
      { line: 7, heading: '', text: parts[2] },
    ]);
  });

  test('not at blank lines in code, unless that is longer than a chunk can be', () => {
    const code = (lines: number) => `\`\`\`\n${`${fill(95)}\n\n`.repeat(lines)}\`\`\``;
    expect(texts(`${fill(500)}\n\n${code(15)}`)).toEqual([fill(500), code(15)]);
    expect(texts(code(30)).length).toBeGreaterThan(1);
  });

  test('between lines of a long paragraph', () => {
    const [first, second, ...more] = chunks(`${fill(100)}\n`.repeat(25));
    expect(first?.text.split('\n')).toHaveLength(12);
    expect(second).toMatchObject({ line: 13 });
    expect(more).toHaveLength(1);
  });

  test('inside of a long line at blanks, and between characters only where there is none', () => {
    expect(texts(fill(5_000)).every((text) => /^(?:word ?)+$/.test(text))).toBe(true);
    for (const text of texts('😀'.repeat(3_000))) expect(text.isWellFormed()).toBe(true);
  });

  test('so that a heading stays with what is below it', () => {
    expect(texts(`# A\n\n${fill(1_300)}`)).toHaveLength(1);
  });
});

const line = fc.oneof(
  fc.string({ unit: 'binary' }).map((all) => all.replaceAll('\n', '')),
  fc.constantFrom(
    '',
    '',
    ' ',
    '# A',
    '## B',
    '### ',
    '===',
    '---',
    '```',
    '~~~',
    '    code',
    '- item',
    '#tag [[link]]',
  ),
  fc.nat(1_999).map((length) => 'x'.repeat(length)),
);
const note = fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n'));
const isBlank = (each: string) => each.trim() === '';

describe('whatever the note', () => {
  test('each line that is not blank is in one chunk, where that says it is', () => {
    fc.assert(
      fc.property(note, (text) => {
        // No frontmatter: that is in none.
        const lines = `\n${text}`.split('\n');
        const seen = new Set<number>();
        for (const chunk of chunks(lines.join('\n')))
          for (const [at, each] of chunk.text.split('\n').entries()) {
            expect(each).toBe(lines[chunk.line - 1 + at]);
            expect(seen.has(chunk.line + at)).toBe(false);
            seen.add(chunk.line + at);
          }
        for (const [at, each] of lines.entries()) if (!isBlank(each)) expect(seen).toContain(at + 1);
      }),
      { numRuns: runs(300) },
    );
  });

  test('no chunk is blank or too long, and all characters but blanks are in one', () => {
    const long = fc.oneof(note, fc.string({ unit: 'binary', minLength: 1_900, maxLength: 9_000 }));
    const solid = (text: string) => text.replace(/\s/g, '');
    fc.assert(
      fc.property(long, (text) => {
        const all = texts(`\n${text}`);
        for (const each of all) {
          expect(each.length).toBeLessThanOrEqual(chunkSize.most);
          expect(isBlank(each)).toBe(false);
        }
        expect(solid(all.join(''))).toBe(solid(text));
      }),
      { numRuns: runs(200) },
    );
  });
});
