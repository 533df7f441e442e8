// A vault finds in OpenClaw's manual what somebody asks it, in other words than those of the manual, too. The same as
// `npm run bench:vault`, without its clock.
import { expect, test } from 'vitest';
import { newPlace } from '../../bench/harness/place.ts';
import { meaningShortcomings, shortcomings } from '../../bench/vault/bounds.ts';
import { meaningFinders } from '../../bench/vault/find-with-meaning.ts';
import { measureScores, vaultAlone } from '../../bench/vault/measure.ts';
import { openclawDocs, questionsFile } from '../../bench/vault/openclaw-docs.ts';
import { readQuestions } from '../../bench/vault/questions.ts';
import { copySubCorpus } from '../../bench/vault/sub-corpus.ts';

/** 1,450 vectors, one after the other, milliseconds. */
const vectorsMs = 900_000;

test('it finds more than plain full-text searches do, and every keyword', async () => {
  await using place = await newPlace();
  const { all, notes } = await measureScores(place, openclawDocs(), readQuestions(questionsFile));
  expect(notes).toBeGreaterThan(1_000);
  expect(all.map(({ name }) => name)).toContain('MiniSearch');
  expect(shortcomings(all)).toEqual([]);
});

test('with vectors it finds no less than by words alone, whoever makes them', {
  timeout: vectorsMs,
}, async () => {
  await using place = await newPlace();
  const questions = readQuestions(questionsFile);
  const folder = await place.home.directory('sub-corpus');
  copySubCorpus(openclawDocs(), questions, folder);
  const { all, notes } = await measureScores(place, folder, questions, {
    ...vaultAlone,
    ...meaningFinders(),
  });
  expect(notes).toBeGreaterThan(60);
  expect(all).toHaveLength(3);
  expect(meaningShortcomings(all)).toEqual([]);
});
