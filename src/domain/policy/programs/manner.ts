// What is known of a program: which words it opens, whom it speaks to, and that nothing of it runs another program.
import type { Options } from './options.ts';

export interface Manner extends Options {
  /** Words that are text, and no files: all of them, the first one, or the values of these options. */
  text: 'none' | 'all' | 'first';
  textOptions: ReadonlySet<string>;
  /** Hosts that its words name; `more`: others, too. */
  speaks: 'no' | 'words' | 'more';
  /** `more`: files that none of its words names. */
  opens: 'words' | 'more';
  /** Takes files away, or empties them. */
  removes: boolean;
  /** Options with which it does. */
  removing: ReadonlySet<string>;
  /** Most words that are no options; with more of them nothing is known. */
  most: number;
  /** Options that are not named open files that no word names, and run nothing. */
  othersOpen: boolean;
}

export interface Told {
  short?: string;
  /** Names of long options, a `=` behind those with a value. */
  long?: string;
  /** `opens`: the others open files that no word names, and run nothing. */
  any?: true | 'opens';
  text?: 'all' | 'first';
  /** Options whose values are text. */
  says?: string;
  speaks?: 'words' | 'more';
  opens?: 'more';
  removes?: true;
  removing?: string;
  most?: number;
  oneDash?: true;
}

export type Manners = ReadonlyMap<string, Manner>;

export const listed = (names: string): string[] => names.split(/\s+/).filter(Boolean);

/**
 * A table of programs, and of what each of them is known to do.
 *
 * @param rows names, each `program` or `program/subcommand`, and what holds for all of them
 */
export function manners(rows: readonly (readonly [names: string, told: Told])[]): Manners {
  return new Map(
    rows.flatMap(([names, told]) => {
      const manner = mannerOf(told);
      return listed(names).map((name) => [name, manner] as const);
    }),
  );
}

export const mannerOf = (told: Told): Manner => ({
  short: told.short ?? '',
  long: new Set(listed(told.long ?? '')),
  oneDash: told.oneDash ?? false,
  any: told.any === true,
  othersOpen: told.any === 'opens',
  text: told.text ?? 'none',
  textOptions: new Set(listed(told.says ?? '')),
  speaks: told.speaks ?? 'no',
  opens: told.opens ?? 'words',
  removes: told.removes ?? false,
  removing: new Set(listed(told.removing ?? '')),
  most: told.most ?? Number.POSITIVE_INFINITY,
});
