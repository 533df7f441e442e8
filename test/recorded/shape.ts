/** Key path → type, in order: `messages[].role` → `string`. No value is in it. */
export type Shape = Record<string, string>;

/** Behind the type of a key that some of the objects do not have. */
const optional = ' or absent';

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'object';

/**
 * What several samples of one thing look like together.
 * @param closed paths below which the keys are somebody else's, such as the schema of a tool
 */
export function shapeOf(samples: readonly unknown[], closed: readonly string[] = []): Shape {
  const shape: Shape = {};
  const look = (path: string, values: readonly unknown[], missing: boolean) => {
    const types = [...new Set(values.map(typeOf))].sort().join(' or ');
    if (path !== '') shape[path] = `${types}${missing ? optional : ''}`;
    if (closed.includes(path)) return;
    const objects = values.filter(isObject);
    for (const key of [...new Set(objects.flatMap(Object.keys))].sort()) {
      const having = objects.filter((each) => Object.hasOwn(each, key));
      const inner = having.map((each) => each[key]);
      look(path === '' ? key : `${path}.${key}`, inner, having.length < objects.length);
    }
    const items = values.filter((value) => Array.isArray(value)).flat();
    if (items.length > 0) look(`${path}[]`, items, false);
  };
  look('', samples, false);
  return shape;
}
