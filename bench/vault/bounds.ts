import type { Found } from './measure.ts';

/** Share of all questions that are answered by one of the first five files, at least. */
const leastHit5 = 0.7;
/** Of those that name a word of the note. */
const leastKeywordHit5 = 1;

/** How much less than by words alone may be found with the meaning beside them, share of all questions. */
const mostLost = 0.02;

/**
 * What is not as it has to be, in words.
 *
 * @param all the vault first
 * @param withMeaning names of those that are vaults as well, and know what their notes mean
 */
export function shortcomings(all: readonly Found[], withMeaning: readonly string[] = []): string[] {
  const knowing = all.filter(({ name }) => withMeaning.includes(name));
  const [vault, ...others] = all.filter((each) => !knowing.includes(each));
  if (!vault) return ['Nothing was measured.'];
  const words: string[] = [];
  if (vault.hit5 < leastHit5)
    words.push(`The vault answers ${percent(vault.hit5)} of the questions with its first five files.`);
  if (vault.keywordHit5 < leastKeywordHit5)
    words.push(`The vault answers ${percent(vault.keywordHit5)} of the keyword questions only.`);
  for (const { name, hit5 } of others)
    if (vault.hit5 < hit5)
      words.push(`${name} answers more of the questions: ${percent(hit5)} and not ${percent(vault.hit5)}.`);
  return [...words, ...meaningShortcomings([vault, ...knowing])];
}

/** The same of vaults that know what their notes mean, beside the first one, which knows their words alone. */
export function meaningShortcomings([words, ...others]: readonly Found[]): string[] {
  if (!words) return ['Nothing was measured.'];
  return others
    .filter(({ hit5 }) => hit5 < words.hit5 - mostLost)
    .map(
      ({ name, hit5 }) =>
        `${name} answers fewer of the questions than words alone: ${percent(hit5)} and not ${percent(words.hit5)}.`,
    );
}

/** `73 %` */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
