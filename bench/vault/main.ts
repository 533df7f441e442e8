// `npm run bench:vault`: how well and how fast a vault finds notes. See docs/reference/benchmarks.md.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { newPlace } from '../harness/place.ts';
import { shortcomings } from './bounds.ts';
import { meaningFinders } from './find-with-meaning.ts';
import { measureQuality, wordFinders } from './measure.ts';
import { openclawDocs, questionsFile } from './openclaw-docs.ts';
import { readQuestions } from './questions.ts';
import { render } from './render.ts';

/** @returns the exit code: 1 when the vault finds too little, or nothing could be measured */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      questions: { type: 'string' },
      embeddings: { type: 'boolean', default: false },
    },
  });
  const questions = readQuestions(values.questions ?? questionsFile);
  const [folder = openclawDocs()] = positionals;
  await using place = await newPlace();
  const byMeaning = values.embeddings ? meaningFinders() : {};
  if (values.embeddings) process.stderr.write('A vector for each part of the notes takes half an hour …\n');
  const finders = { ...wordFinders, ...byMeaning };
  const measured = await measureQuality(place, resolve(folder), questions, finders);
  const words = shortcomings(measured.all, Object.keys(byMeaning));
  console.log(values.json ? JSON.stringify({ ...measured, shortcomings: words }, null, 2) : render(measured));
  for (const each of words) process.stderr.write(`${each}\n`);
  return words.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
