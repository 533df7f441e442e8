// How well answers fit their questions, by file. Pure.
import type { Question } from './questions.ts';

export interface Score {
  /** Shares of the questions, 0 to 1. */
  hit1: number;
  hit5: number;
  keywordHit5: number;
  /** Mean of 1 / rank of the first file that answers, over the first ten; nothing beyond them counts. */
  mrr10: number;
}

/** @param answers to each question, their files, the best first; a file may be there more than once */
export function scoreOf(questions: readonly Question[], answers: readonly (readonly string[])[]): Score {
  const ranks = questions.map(({ kind, expected }, at) => ({
    kind,
    rank: rankOf(answers[at] ?? [], expected),
  }));
  const within = (most: number, all = ranks) => share(all.map(({ rank }) => (rank <= most ? 1 : 0)));
  return {
    hit1: within(1),
    hit5: within(5),
    keywordHit5: within(
      5,
      ranks.filter(({ kind }) => kind === 'keyword'),
    ),
    mrr10: share(ranks.map(({ rank }) => (rank <= 10 ? 1 / rank : 0))),
  };
}

/** From 1; infinite when none of them is there. */
function rankOf(files: readonly string[], expected: readonly string[]): number {
  const at = [...new Set(files)].findIndex((file) => expected.some((prefix) => file.startsWith(prefix)));
  return at === -1 ? Number.POSITIVE_INFINITY : at + 1;
}

const share = (values: readonly number[]): number =>
  values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length;
