// Templates with their names filled in.

/** Name of a placeholder → what stands for it; undefined where there is none: what needs it is left out. */
export type Values = Readonly<Record<string, string | undefined>>;

const placeholder = /<([A-Za-z][A-Za-z\d-]{0,30})>/g;

/** @returns undefined where the template needs what there is not */
export function fill(template: string, values: Values): string | undefined {
  let whole = true;
  const text = template.replace(placeholder, (same, name: string) => {
    if (!Object.hasOwn(values, name)) return same;
    const value = values[name];
    whole &&= value !== undefined;
    return value ?? '';
  });
  return whole ? text : undefined;
}

/** Placeholders of several words: as an element of a list they become one element for each word. */
const lists = new Set(['<words>', '<rest>']);

/** The same for every string of an input. */
export function fillInput(input: unknown, values: Values): unknown {
  let whole = true;
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = fill(value, values);
      whole &&= text !== undefined;
      return text;
    }
    if (Array.isArray(value)) return value.flatMap(element);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]));
  };
  const element = (value: unknown): unknown =>
    typeof value === 'string' && lists.has(value) ? String(filled(value)).split(' ') : [filled(value)];
  const result = filled(input);
  return whole ? result : undefined;
}
