import { resolve } from 'node:path';
import type { Config } from '../../../protocol/settings/config.ts';
import { type WorkPlace, workPlaces } from '../../setup/work-places.ts';

/** Where sessions of a bridge work that is started here. */
export const placesHere = (config: Config): WorkPlace[] => workPlaces(config, resolve(config.cwd ?? '.'));

export const workFolders = (config: Config): string[] => placesHere(config).map(({ folder }) => folder);
