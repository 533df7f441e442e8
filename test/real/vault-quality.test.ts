// A vault finds in OpenClaw's manual what somebody asks it, in other words than those of the manual, too. The same as
// `npm run bench:vault`, without its clock.
import { expect, test } from 'vitest';
import { newPlace } from '../../bench/harness/place.ts';
import { shortcomings } from '../../bench/vault/bounds.ts';
import { measureQuality } from '../../bench/vault/measure.ts';
import { openclawDocs, questionsFile } from '../../bench/vault/openclaw-docs.ts';
import { readQuestions } from '../../bench/vault/questions.ts';

test('it finds more than plain full-text searches do, and every keyword', async () => {
  await using place = await newPlace();
  const { all, notes } = await measureQuality(place, openclawDocs(), readQuestions(questionsFile));
  expect(notes).toBeGreaterThan(1_000);
  expect(all.map(({ name }) => name)).toContain('MiniSearch');
  expect(shortcomings(all)).toEqual([]);
});
