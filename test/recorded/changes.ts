import { diff } from 'node:util';
import type { Recording } from './recording.ts';

export interface Change {
  /** What kind of thing changed: `tool`, `hook`, `setting`. */
  area: string;
  words: string;
}

/** What is different in a second recording. The version alone is no change. */
export function changesBetween(before: Recording, after: Recording): Change[] {
  return [
    ...inArea(
      'tool',
      byName('the tool', before.tools, after.tools, (name) => [`the tool ${name} takes another input`]),
    ),
    ...shapeChanges(before, after),
    ...inArea('screen', byName('the screen', before.screens, after.screens, redrawn)),
    ...nameChanges(before.names, after.names),
    ...inArea('default', byName('the default', before.defaults, after.defaults, otherDefault)),
  ];
}

/** What a newer release shows differently, for a person. @param after undefined when nothing was recorded of it */
export function changesInWords(name: string, before?: Recording, after?: Recording): string {
  if (!before || !after) return notCompared(name, before);
  const changes = changesBetween(before, after);
  const releases = `${name} ${after.version}, against the pinned ${before.version}`;
  return [
    `${releases}: ${changes.length === 0 ? 'nothing changed.' : ''}`.trim(),
    ...changes.map(({ words }) => `  ${words}`),
  ].join('\n');
}

/** Why there is nothing to tell. */
export const notCompared = (name: string, before?: Recording): string =>
  `${name}: not compared, ${before ? 'recorded.test.ts did not run to its end' : 'nothing is recorded of the pinned release'}.`;

const inArea = (area: string, all: readonly string[]): Change[] => all.map((words) => ({ area, words }));

function shapeChanges(before: Recording, after: Recording): Change[] {
  const names = sorted(before.shapes, after.shapes);
  return names.flatMap((name) => {
    const only = (shapes: Recording['shapes']) => (shapes[name] ? { [name]: shapes[name] } : {});
    const words = byName('', only(before.shapes), only(after.shapes), (_, was, is) =>
      byName(`${name}:`, was, is, (key, old, now) => [`${name}: ${key} is ${now}, was ${old}`]),
    );
    // `hook Stop` and `headers of /v1/messages` are of the kinds `hook` and `headers`; the rest is a kind of its own.
    return inArea(/^(hook|headers|body)\b/.exec(name)?.[0] ?? name, words);
  });
}

function nameChanges(before: Recording['names'], after: Recording['names']): Change[] {
  return sorted(before, after).flatMap((kind) =>
    inArea(
      kind,
      byName(`the ${kind}`, setOf(before[kind]), setOf(after[kind]), () => []),
    ),
  );
}

const setOf = (names: readonly string[] = []) => Object.fromEntries(names.map((name) => [name, true]));

const otherDefault = (name: string, was: string, is: string) => [`the default ${name} is ${is}, was ${was}`];

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
  return sorted(before, after).flatMap((name) => {
    const was = before[name];
    const is = after[name];
    if (was === undefined) return said(name, 'new');
    if (is === undefined) return said(name, 'gone');
    return was === is ? [] : changes(name, was, is);
  });
}

const sorted = (...of: object[]): string[] => [...new Set(of.flatMap(Object.keys))].sort();
