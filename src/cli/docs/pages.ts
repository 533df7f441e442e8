import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { docsFolder } from '../docs-folder.ts';

/** A page of the documentation that comes with the program. */
export interface Page {
  /** What it is called by: its file without the folder and `.md`. */
  name: string;
  title: string;
  file: string;
}

/** Guides first, as a reader would want them; decisions are for whoever changes the program. */
const rooms = ['guides', 'reference', ''];

/** Every page, in the order in which they are listed. */
export const pages = (): Page[] => rooms.flatMap((room) => pagesIn(join(docsFolder, room)));

const pagesIn = (room: string): Page[] =>
  readdirSync(room)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({
      name: basename(file, '.md'),
      title: /^# (.+)$/m.exec(readFileSync(join(room, file), 'utf8'))?.[1] ?? file,
      file: join(room, file),
    }));
