import { expect, test } from 'vitest';
import { provenWords } from '../../src/domain/views/audit/proven.ts';

const range = { oldest: '2.1.0', proven: '2.1.330', back: 'claude install 2.1.330' };

test.each([
  ['2.1.330', 'the release that was proven'],
  ['2.1.0', 'works from 2.1.0 on; proven with 2.1.330'],
  ['2.1.99', 'works from 2.1.0 on; proven with 2.1.330'],
  [
    '2.1.1000',
    'newer than 2.1.330, which was proven; nothing to do while it works, else update synthesis or run `claude install 2.1.330`',
  ],
])('of %s it is said: %s', (version, words) => {
  expect(provenWords(version, range)).toBe(words);
});
