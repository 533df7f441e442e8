// Counts that do not depend on how busy a machine is, and what they were when somebody last wrote them down.

/** Name → how much, all of it the less the better. */
export type Counts = Record<string, number>;

export interface Change {
  name: string;
  recorded: number | undefined;
  found: number | undefined;
  /** `risen` and `new` fail; `gone` is a count that nobody takes any more. */
  kind: 'same' | 'fallen' | 'risen' | 'new' | 'gone';
}

/** Of bytes, a part that is nobody's decision: hidden classes, the length of a path. */
const tolerance = (name: string) => (/bytes/.test(name) ? 0.02 : 0);

export function changes(recorded: Counts, found: Counts): Change[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(found)])];
  return names.map((name) => {
    const about = { name, recorded: recorded[name], found: found[name] };
    return { ...about, kind: kindOf(about) };
  });
}

function kindOf({ name, recorded, found }: Omit<Change, 'kind'>): Change['kind'] {
  if (recorded === undefined) return 'new';
  if (found === undefined) return 'gone';
  const slack = recorded * tolerance(name);
  if (found > recorded + slack) return 'risen';
  return found < recorded - slack ? 'fallen' : 'same';
}

export const isAllowed = ({ kind }: Change): boolean => kind === 'same' || kind === 'fallen';

export function renderChanges(all: readonly Change[]): string {
  const shown = (value: number | undefined) => (value === undefined ? '-' : String(value));
  const width = Math.max(...all.map(({ name }) => name.length));
  return all
    .map(({ name, recorded, found, kind }) => {
      const words = kind === 'same' ? '' : kind;
      return `${name.padEnd(width)}  ${shown(found).padStart(8)}  ${shown(recorded).padStart(8)}  ${words}`.trimEnd();
    })
    .join('\n');
}
