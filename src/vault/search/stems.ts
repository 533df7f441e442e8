// The words of a question as they may stand in a note, for showing where it fits. What fits is the index's to say.
import { matchOf } from '../index/terms.ts';

const endings = /(?:ations?|ings?|edly|ed|ies|es|s|ly|e|y)$/;
/** `running`, `stopped` */
const doubled = /([bdfgmnprt])\1$/;
const shortestStem = 3;

/** What begins with one of the words, or for a run without blanks holds it; undefined when there are none. */
export type Stems = RegExp | undefined;

export function stemsOf(question: string): Stems {
  const match = matchOf(question) ?? '';
  const words = [...match.matchAll(/"([^"]+)"/g)].flatMap(([, term = '']) => term.split(' '));
  return patternOf([...new Set(words.map(stem))]);
}

function stem(word: string): string {
  const short = word.replace(endings, '').replace(doubled, '$1');
  return short.length >= shortestStem ? short : word;
}

/** @returns UTF-16 offsets, in order, apart from each other */
export function placesOf(text: string, stems: Stems): { start: number; end: number }[] {
  if (!stems) return [];
  return [...text.matchAll(stems)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}

/** @param stems of letters and digits only */
function patternOf(stems: readonly string[]): Stems {
  const spaced = stems.filter((each) => !isUnspaced(each));
  const begun = spaced.map((each) =>
    each.length < shortestStem ? `${each}(?![\\p{L}\\p{N}])` : `${each}[\\p{L}\\p{N}]*`,
  );
  const parts = [
    ...(begun.length > 0 ? [`(?<![\\p{L}\\p{N}])(?:${begun.join('|')})`] : []),
    ...stems.filter(isUnspaced),
  ];
  return parts.length > 0 ? new RegExp(parts.join('|'), 'giu') : undefined;
}

const isUnspaced = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
