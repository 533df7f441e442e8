import { isAbsolute, resolve } from 'node:path';
import type { Config } from '../../protocol/settings/config.ts';

/** A folder that sessions are started in. */
export interface WorkPlace {
  /** Absolute. */
  folder: string;
  /** `sessions (`cwd`)`, `sessions of profile "a*" (`profiles.0.cwd`)`. */
  whose: string;
  /** What gives them another one: the end of a sentence, with the command. */
  mend: string;
}

/**
 * Where sessions work by the configuration, by every setting that names a folder.
 * @param cwd of sessions whose profile names none; undefined where only the start of a bridge tells it, and what is
 * relative to it is left out, too
 */
export function workPlaces({ profiles }: Pick<Config, 'profiles'>, cwd: string | undefined): WorkPlace[] {
  const named = profiles.flatMap(({ match, cwd: own }, at): WorkPlace[] => {
    if (own === undefined || (cwd === undefined && !isAbsolute(own))) return [];
    const whose = `sessions of profile ${JSON.stringify(match)}`;
    return [placeOf(resolve(cwd ?? '/', own), whose, `profiles.${at}.cwd`)];
  });
  // Where every session has a profile with a folder, nobody works in the one of all others.
  const isUsed = !profiles.some(({ match, cwd: own }) => match === '*' && own !== undefined);
  const all = cwd === undefined || !isUsed ? [] : [placeOf(resolve(cwd), 'sessions', 'cwd')];
  return [...all, ...named];
}

const placeOf = (folder: string, whose: string, setting: string): WorkPlace => ({
  folder,
  whose: `${whose} (\`${setting}\`)`,
  mend: `choose another: \`synthesis config set ${setting} <folder>\``,
});
