import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Line } from './line.ts';

const folder = new URL('../../fixtures/turns/', import.meta.url);
const ending = '.jsonl';

/** The names of the recorded scenarios. */
export const scenarios: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith(ending))
  .map((file) => basename(file, ending))
  .sort();

/** Returns a fresh copy of the lines of a scenario. */
export function lines(scenario: string): Line[] {
  const text = readFileSync(new URL(`${scenario}${ending}`, folder), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => widened(JSON.parse(line)));
}

/** The files leave out what most hooks have in common. */
function widened(line: { t: number; n: number; hook?: string } & Record<string, unknown>): Line {
  const { t, n, hook: name, ...fields } = line;
  if (name === undefined) return line as unknown as Line;
  return { t, k: 'hook', n, hook: { hook_event_name: name, session_id: 's1', ...fields } };
}
