const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'enum'];
const maps = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependentRequired',
];
const types = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']);

/** What the validator would trip over at each call, in words behind the place of the schema: it takes shapes on trust. */
export function shapeFault(schema: Readonly<Record<string, unknown>>): string | undefined {
  const list = lists.find((key) => Object.hasOwn(schema, key) && !Array.isArray(schema[key]));
  if (list) return `.${list} is no list`;
  const map = maps.find((key) => Object.hasOwn(schema, key) && !isMap(schema[key]));
  if (map) return `.${map} is no object`;
  const { type, required } = schema;
  if (type !== undefined && ![type].flat().every((each) => types.has(each))) return '.type is no type';
  const names = Array.isArray(required) && required.every((name) => typeof name === 'string');
  return required === undefined || names ? undefined : '.required is no list of names';
}

const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
