// Questions by hand over a folder of notes, and where their answers stand.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Questions = z.object({
  about: z.string(),
  q: z.array(z.tuple([z.enum(['p', 'k']), z.string(), z.array(z.string()).min(1)])).min(1),
});

export interface Question {
  /** In everyday words, or by a word that stands in the note as it is. */
  kind: 'paraphrase' | 'keyword';
  text: string;
  /** A note whose path begins with one of them answers it. */
  expected: readonly string[];
}

/** @throws when it is no list of questions */
export function readQuestions(file: string): Question[] {
  const { q } = Questions.parse(JSON.parse(readFileSync(file, 'utf8')));
  return q.map(([kind, text, expected]) => ({
    kind: kind === 'k' ? 'keyword' : 'paraphrase',
    text,
    expected,
  }));
}
