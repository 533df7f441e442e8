import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { width } from '../../../src/cli/tui/text/width.ts';

test('the widths that are not measured are the measured ones', () => {
  const wrong = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter(
    (character) =>
      /\p{Assigned}/u.test(character) &&
      !/\p{C}/u.test(character) &&
      width(character) !== stringWidth(character),
  );
  expect(wrong).toEqual([]);
});
