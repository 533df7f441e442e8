import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { longest } from './longest-first.ts';

const folders = { e2e: 'e2e', long: '', real: 'real' };

test.each(Object.entries(longest))('of %s, what is to begin early is there', (project, names) => {
  const folder = join(import.meta.dirname, '..', folders[project as keyof typeof folders]);
  const exclude = (path: string) => path.includes('node_modules');
  const files = globSync('**/*.test.ts', { cwd: folder, exclude }).map((path) => basename(path, '.test.ts'));
  expect(files).toEqual(expect.arrayContaining(names));
});
