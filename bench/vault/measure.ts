// How well and how fast the vault finds notes, beside simpler ways to find them, one after the other in the same run.
import type { Place } from '../harness/place.ts';
import { percentile, perQuery } from '../harness/queries.ts';
import { median } from '../harness/stats.ts';
import { readCorpus } from './corpus.ts';
import { ftsFinder, parts, whole } from './find-with-fts.ts';
import { miniSearchFinder } from './find-with-mini-search.ts';
import { vaultFinder } from './find-with-vault.ts';
import type { Finder, FinderOptions, Finders } from './finder.ts';
import type { Question } from './questions.ts';
import { type Score, scoreOf } from './score.ts';

/** By words alone. */
export const vaultAlone: Finders = { vault: (options) => vaultFinder(options) };

/** Without a model. */
export const wordFinders: Finders = {
  ...vaultAlone,
  'FTS5, whole notes': (options: FinderOptions) => ftsFinder(options, whole),
  'FTS5, same parts': (options: FinderOptions) => ftsFinder(options, parts),
  MiniSearch: miniSearchFinder,
};

export interface Found extends Score {
  name: string;
}

export interface Quality extends Found {
  /** CPU time, milliseconds; of vectors, the time that went by. */
  indexMs: number;
  /** CPU time of a question in this process, milliseconds. */
  p50Ms: number;
  p95Ms: number;
  /** Of the index, bytes. */
  indexBytes: number;
  /** Of an answer with 8 results, the median, bytes. */
  answerBytes: number;
}

export interface Measured<Each = Quality> {
  notes: number;
  questions: number;
  /** The vault first. */
  all: Each[];
}

/** What is found alone, which takes a third of the time. Parameters as those of {@link measureQuality}. */
export const measureScores = (
  place: Place,
  folder: string,
  questions: readonly Question[],
  finders: Finders = wordFinders,
): Promise<Measured<Found>> => ofEach(place, folder, questions, finders, scores);

/**
 * @param folder of notes, absolute
 * @param finders the vault first
 */
export const measureQuality = (
  place: Place,
  folder: string,
  questions: readonly Question[],
  finders: Finders = wordFinders,
): Promise<Measured> => ofEach(place, folder, questions, finders, quality);

async function ofEach<Each>(
  { home, env }: Place,
  folder: string,
  questions: readonly Question[],
  finders: Finders,
  ask: (finder: Finder, questions: readonly Question[]) => Promise<Each>,
): Promise<Measured<Each & { name: string }>> {
  const notes = readCorpus(folder);
  const all: (Each & { name: string })[] = [];
  for (const [name, start] of Object.entries(finders)) {
    const dir = await home.directory(`find-${all.length}`);
    await using finder = await start({ folder, notes, dir, env });
    all.push({ name, ...(await ask(finder, questions)) });
  }
  return { notes: notes.length, questions: questions.length, all };
}

async function scores(finder: Finder, questions: readonly Question[]): Promise<Score> {
  const answers: string[][] = [];
  for (const { text } of questions) answers.push(await finder.find(text));
  return scoreOf(questions, answers);
}

async function quality(finder: Finder, questions: readonly Question[]): Promise<Omit<Quality, 'name'>> {
  // The first time for what it finds, the second for how long it takes.
  const found = await scores(finder, questions);
  const texts = questions.map(({ text }) => text);
  const ms = await perQuery(texts, finder.find);
  const sizes: number[] = [];
  for (const text of texts) sizes.push(await finder.answerBytes(text));
  return {
    ...found,
    indexMs: finder.indexMs,
    p50Ms: percentile(ms, 0.5),
    p95Ms: percentile(ms, 0.95),
    indexBytes: finder.bytes,
    answerBytes: median(sizes),
  };
}
