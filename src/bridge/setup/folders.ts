// Folders that sessions work in: each has to be there, and apart from the bridge's own files.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { folderFault } from '../../base/files/folder-fault.ts';
import { failed, warning } from '../../domain/views/check.ts';
import { exposureAdvice, exposures, type OwnFiles } from '../own-files.ts';
import { type Finding, later } from './finding.ts';
import type { WorkPlace } from './work-places.ts';

const name = 'folders';

export interface JudgedPlaces {
  /** Those in which somebody can work. */
  sound: WorkPlace[];
  /** What is wrong with the others. */
  faults: Finding[];
}

/** Those in which sessions get at the bridge's own files. @param places that answer: it waits for their disks */
export function exposureFindings(places: readonly WorkPlace[], own: OwnFiles): Finding[] {
  const found = exposures(
    places.map(({ folder }) => folder),
    own,
  );
  return found.map((each) => warning(name, `${each}.`, exposureAdvice));
}

/** Tells those in which nobody can work. */
export async function judged(places: readonly WorkPlace[]): Promise<JudgedPlaces> {
  const looks = await Promise.all(
    places.map(async (place) => ({ place, fault: await folderFault(place.folder) })),
  );
  return {
    sound: looks.flatMap(({ place, fault }) => (fault === undefined ? [place] : [])),
    faults: looks.flatMap(({ place, fault }) => (fault === undefined ? [] : [unusable(place, fault)])),
  };
}

function unusable({ folder, whose, mend }: WorkPlace, fault: string): Finding {
  const words = `${folder} ${fault}: ${whose} cannot work there.`;
  return later(failed(name, words, remedy(folder, fault, mend)), mayBeMounted(folder));
}

function remedy(folder: string, fault: string, mend: string): string {
  if (/(?:^|\/)~/.test(folder))
    return `Write the whole path, only a shell knows "~" (\`synthesis doctor --fix\` does so where it is clear), or ${mend}.`;
  if (fault !== 'does not exist') return `Put a folder there, or ${mend}.`;
  return `${mayBeMounted(folder) ? 'Mount its disk' : 'Make it'}, or ${mend}.`;
}

/** Folders in which disks are mounted, as Linux and macOS have it. */
const mounts = /^\/(?:mnt|media|run\/media|Volumes|net)(?:\/|$)/;

/** Nothing of it is there below the folder in which disks appear. */
function mayBeMounted(folder: string): boolean {
  if (!mounts.test(folder)) return false;
  const nearest = firstThere(folder);
  return nearest !== folder && nearest.split('/').length <= 4;
}

const firstThere = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : firstThere(dirname(path));
