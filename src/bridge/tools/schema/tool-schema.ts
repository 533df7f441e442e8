import { dereference, type Schema } from '@cfworker/json-schema';
import { visible } from '../../../domain/safe-text.ts';
import { schemaBounds, tooDeepOrLarge } from './bounds.ts';
import { shapeFault } from './schema-shape.ts';
import { slowPattern } from './slow-pattern.ts';
import { withinTime } from './within-time.ts';

export type SchemaReading = { ok: true; schema: Schema } | { ok: false; words: string };

/** For one schema, milliseconds of CPU: thousands of patterns fit in 64 KiB. */
const limitMs = 500;

/** Keywords whose schemas look at the same value again. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];
const foreign = ['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'];

/**
 * Whether a provider's schema may be used: of an object, small, without references to elsewhere or to itself, and
 * with patterns that come to an end.
 *
 * @param name the field that words name, `inputSchema`
 * @returns a copy that belongs to the caller, as the library writes into it
 */
export function checkSchema(given: unknown, name = 'inputSchema'): SchemaReading {
  const refused = (words: string): SchemaReading => ({
    ok: false,
    words: visible(`${name}${words}`.slice(0, 300)),
  });
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return refused(' is no object');
  const big = tooDeepOrLarge(given, schemaBounds);
  if (big) return refused(` cannot be used: ${big}`);
  const judged = withinTime(limitMs, () => read(JSON.stringify(given)));
  if (!judged) return refused(' is no JSON Schema, or takes too long to look into');
  return typeof judged.value === 'string' ? refused(judged.value) : { ok: true, schema: judged.value };
}

/** @returns what is wrong, in words behind the name of the field; or a schema */
function read(json: string): string | Schema {
  const schema = JSON.parse(json) as Schema;
  if (schema.type !== 'object') return ".type is not 'object'";
  const lookup = dereference(schema);
  // What the library does not know as a schema, a default value for one, it does not use.
  for (const [uri, each] of Object.entries(lookup)) {
    const fault = typeof each === 'boolean' ? undefined : faultOf(each, lookup);
    if (fault) return `${placeOf(uri)}${fault}`;
  }
  const loop = loopIn(lookup);
  return loop === undefined ? schema : `${placeOf(loop)} refers to itself without end`;
}

function faultOf(schema: Schema, lookup: Readonly<Record<string, Schema | boolean>>): string | undefined {
  const odd = foreign.find((key) => Object.hasOwn(schema, key));
  if (odd) return `.${odd} is not supported`;
  const { $ref, pattern, patternProperties } = schema;
  if ($ref !== undefined) {
    if (typeof $ref !== 'string' || !$ref.startsWith('#')) return '.$ref leads to another document';
    if (lookup[schema.__absolute_ref__ ?? ''] === undefined) return '.$ref leads nowhere';
  }
  const shape = shapeFault(schema);
  if (shape) return shape;
  // A list of one would be a pattern to RegExp, and another thing to those who look into it.
  if (pattern !== undefined && typeof pattern !== 'string') return '.pattern is no text';
  const slow = pattern === undefined ? undefined : slowPattern(pattern);
  if (slow) return `.pattern ${slow}`;
  for (const key of Object.keys(patternProperties ?? {})) {
    const words = slowPattern(key);
    if (words) return `.patternProperties ${JSON.stringify(key.slice(0, 60))} ${words}`;
  }
  return undefined;
}

/** `#/properties/a` of an address as `.properties.a`. */
const placeOf = (uri: string): string => (uri.split('#')[1] ?? '').replaceAll('/', '.');

/** The address of a schema that comes back to itself without going a step into the value. */
function loopIn(lookup: Readonly<Record<string, Schema | boolean>>): string | undefined {
  const state = new Map<Schema, 'open' | 'done'>();
  const visit = (schema: unknown): boolean => {
    if (typeof schema !== 'object' || schema === null) return false;
    const known = state.get(schema as Schema);
    if (known) return known === 'open';
    state.set(schema as Schema, 'open');
    const found = sameValue(schema as Schema, lookup).some(visit);
    state.set(schema as Schema, 'done');
    return found;
  };
  return Object.keys(lookup).find((uri) => visit(lookup[uri]));
}

function sameValue(schema: Schema, lookup: Readonly<Record<string, Schema | boolean>>): unknown[] {
  const inside = inPlace.flatMap((key) => {
    const value: unknown = schema[key];
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value)) return value;
    return key.startsWith('depend') ? Object.values(value) : [value];
  });
  return schema.__absolute_ref__ ? [lookup[schema.__absolute_ref__], ...inside] : inside;
}
