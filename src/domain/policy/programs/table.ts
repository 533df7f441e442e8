import { fileManners } from './files.ts';
import type { Manners } from './manner.ts';
import { suiteManners } from './suites.ts';
import { systemManners } from './system.ts';

/** Every program that is known by a row, `docker/ps` among them. */
export const table: Manners = new Map([...fileManners, ...systemManners, ...suiteManners]);
