import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { memoryId } from '../../../src/vault/memory/entry/entry.ts';
import type { Stored } from '../../../src/vault/memory/store-memory.ts';
import { oneFile } from '../../support/one-file.ts';

type Storer = ChildProcessByStdio<null, Readable, null>;
type Acknowledged = Stored & { readonly text: string };

const storer = await oneFile(join(import.meta.dirname, 'storer.ts'));

export const lockOf = (root: string): string => join(root, '..', 'lock');

/** Starts the storing program; its texts begin with `name`. */
function startStorer(root: string, name: string, count: number): Storer {
  const args = [storer, root, lockOf(root), name, String(count)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/**
 * Runs it to its end.
 * @param onStored may kill it
 * @returns what it was told is stored
 */
export async function runStorer(
  root: string,
  name: string,
  count: number,
  onStored: (acknowledged: number, child: Storer) => void = () => {},
): Promise<Acknowledged[]> {
  const child = startStorer(root, name, count);
  const all: Acknowledged[] = [];
  const exited = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const said: Acknowledged | { ready: true } = JSON.parse(line);
      if (!('ready' in said)) all.push(said);
      onStored(all.length, child);
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  return all;
}

/** All notes of memories, by their names. */
export function notesIn(root: string): Map<string, string> {
  const folder = join(root, 'Memories');
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  return new Map(names.map((name) => [`Memories/${name}`, readFileSync(join(folder, name), 'utf8')]));
}

/** Whole memories in a note, by their ids: the text of each is that which its id was made of. */
export function memoriesIn(note: string): { ids: string[]; torn: string[] } {
  const items = note.split(/^(?=- )/m).slice(1);
  const ids: string[] = [];
  const torn: string[] = [];
  for (const item of items) {
    const [, text = '', id = ''] =
      /^- (?:[\d-]{10} )?\d\d:\d\d ([\s\S]*?)\s\^(m-[0-9a-f]{10})\n/.exec(item) ?? [];
    if (id !== '' && memoryId(text) === id) ids.push(id);
    else torn.push(item);
  }
  return { ids, torn };
}
