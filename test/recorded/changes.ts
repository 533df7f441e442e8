import { diff } from 'node:util';
import type { Recording } from './recording.ts';

/** What is different in a second recording, in words, one line each. The version alone is no change. */
export function changesBetween(before: Recording, after: Recording): string[] {
  return [
    ...byName('the tool', setOf(before.tools), setOf(after.tools), () => []),
    ...byName('', before.shapes, after.shapes, (name, was, is) =>
      byName(`${name}:`, was, is, (key, old, now) => [`${name}: ${key} is ${now}, was ${old}`]),
    ),
    ...byName('the screen', before.screens, after.screens, redrawn),
  ];
}

/** What a newer release shows differently, for a person. @param after undefined when nothing was recorded of it */
export function changesInWords(name: string, before?: Recording, after?: Recording): string {
  if (!before || !after)
    return `${name}: not compared, ${after ? 'nothing is recorded of the pinned release' : 'recorded.test.ts did not run to its end'}.`;
  const changes = changesBetween(before, after);
  const releases = `${name} ${after.version}, against the pinned ${before.version}`;
  return [
    `${releases}: ${changes.length === 0 ? 'nothing changed.' : ''}`.trim(),
    ...changes.map((each) => `  ${each}`),
  ].join('\n');
}

const setOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]));

function redrawn(name: string, was: readonly string[], is: readonly string[]): string[] {
  const rows = diff(was, is).filter(([kind]) => kind !== 0);
  const marked = rows.map(([kind, row]) => `    ${kind > 0 ? '-' : '+'} ${row}`);
  return rows.length === 0 ? [] : [[`the screen ${name} is drawn differently`, ...marked].join('\n')];
}

/** @param changes what is different in a thing that both have */
function byName<T>(
  kind: string,
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  changes: (name: string, was: T, is: T) => string[],
): string[] {
  const said = (name: string, fate: string) => [`${kind} ${name} is ${fate}`.trim()];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name) => {
    const was = before[name];
    const is = after[name];
    if (was === undefined) return said(name, 'new');
    if (is === undefined) return said(name, 'gone');
    return was === is ? [] : changes(name, was, is);
  });
}
