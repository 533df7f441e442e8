// The page of tool failures and the published schema are what the code has.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Envelope } from '../../src/protocol/envelope.ts';
import { toolFailures } from '../../src/protocol/events/tool-failures.ts';
import { page, rows } from './pages.ts';

test('every failure of a tool is on its page as the table has it, and no other', () => {
  const [, ...listed] = rows(page('docs/reference/tool-failures.md').text, 'Codes');
  const wanted = Object.entries(toolFailures).map(([code, row]) => [
    `\`${code}\``,
    row.status,
    row.recoverable ? 'yes' : 'no',
    row.retryOnce ? 'once' : 'no',
    row.meaning,
    row.suggestion,
    row.remedy,
  ]);
  expect(listed).toEqual(wanted);
});

test('the published schema of the envelope is the one that is checked', () => {
  const published: unknown = JSON.parse(page('docs/reference/envelope.schema.json').text);
  expect(published).toEqual(z.toJSONSchema(Envelope));
});
