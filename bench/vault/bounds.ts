import type { Quality } from './measure.ts';

/** Share of all questions that are answered by one of the first five files, at least. */
const leastHit5 = 0.7;
/** Of those that name a word of the note. */
const leastKeywordHit5 = 1;

/** What is not as it has to be, in words. */
export function shortcomings([vault, ...others]: readonly Quality[]): string[] {
  if (!vault) return ['Nothing was measured.'];
  const words: string[] = [];
  if (vault.hit5 < leastHit5)
    words.push(`The vault answers ${percent(vault.hit5)} of the questions with its first five files.`);
  if (vault.keywordHit5 < leastKeywordHit5)
    words.push(`The vault answers ${percent(vault.keywordHit5)} of the keyword questions only.`);
  for (const { name, hit5 } of others)
    if (vault.hit5 < hit5)
      words.push(`${name} answers more of the questions: ${percent(hit5)} and not ${percent(vault.hit5)}.`);
  return words;
}

/** `73 %` */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
