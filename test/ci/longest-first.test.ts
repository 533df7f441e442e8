import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longest } from './longest-first.ts';

test.each(longest)('%s, which is to begin early, is a file of the tests', (name) => {
  expect(existsSync(join(import.meta.dirname, '../real', name))).toBe(true);
});
