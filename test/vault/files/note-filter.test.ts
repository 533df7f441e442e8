import { expect, test } from 'vitest';
import { noteFilter } from '../../../src/vault/files/note-filter.ts';

test('a single path is a note exactly when a walk would come to it', () => {
  const { isNote } = noteFilter({ include: ['**/*.md'], exclude: ['Private', 'a/*.md', 'Old/**'] });
  const paths = [
    'x.md',
    'b/c/x.md',
    'a/b/x.md',
    'x.txt',
    'Private/x.md',
    'Private/b/x.md',
    'a/x.md',
    'Old/b/x.md',
  ];
  expect(paths.filter(isNote)).toEqual(['x.md', 'b/c/x.md', 'a/b/x.md']);
  expect(
    ['.x.md', '.obsidian/x.md', 'b/.git/x.md', 'node_modules/x.md', 'b/Node_Modules/x.md'].filter(isNote),
  ).toEqual([]);
});
