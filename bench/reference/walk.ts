// The least that finds out what is in a folder and when it was changed.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** @returns of each Markdown file when it was changed, milliseconds since 1970, by path */
export function walk(folder: string, found = new Map<string, number>()): Map<string, number> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, found);
    else if (entry.name.endsWith('.md')) found.set(path, lstatSync(path).mtimeMs);
  }
  return found;
}
