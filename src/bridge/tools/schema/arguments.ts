import {
  dereference,
  type OutputUnit,
  type Schema,
  type SchemaDraft,
  Validator,
} from '@cfworker/json-schema';
import { visible } from '../../../domain/safe-text.ts';
import { argumentBounds, type Bounds, tooDeepOrLarge } from './bounds.ts';
import { withinTime } from './within-time.ts';

/** What is wrong with a value, in words; undefined if nothing is. Never throws. */
export type Check = (value: unknown) => string | undefined;

/** For one validation, milliseconds of CPU. An ordinary one takes a hundredth of one. */
const limitMs = 20;
const mostFaults = 3;

/** Keywords that only say that something further inside is wrong. */
const outer = new Set([
  '$ref',
  'properties',
  'items',
  'prefixItems',
  'allOf',
  'then',
  'else',
  'if',
  'patternProperties',
  'additionalProperties',
  'additionalItems',
  'propertyNames',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
]);

/**
 * @param schema one that `checkSchema` has let through; it is compiled here, once
 * @returns a check of at most 50 ms, whatever it is given
 */
export function argumentCheck(schema: Schema, bounds: Bounds = argumentBounds): Check {
  const draft = draftOf(schema);
  const quick = quickBounds(schema);
  const first = new Validator(schema, draft, true);
  const all = new Validator(schema, draft, false);
  return (value) => {
    const big = tooDeepOrLarge(value, bounds);
    if (big) return visible(big);
    const isQuick = quick !== undefined && tooDeepOrLarge(value, quick) === undefined;
    // A time limit costs more than the rest of such a call together.
    const judged = isQuick
      ? { value: first.validate(value) }
      : withinTime(limitMs, () => first.validate(value));
    if (!judged) return 'they cannot be checked in the time that a check may take';
    if (judged.value.valid) return undefined;
    // All faults at once save Claude a call; where they take too long, the first one has to do.
    const more = withinTime(limitMs / 2, () => all.validate(value).errors);
    return faultWords(more?.value ?? judged.value.errors);
  };
}

/** With these a schema looks at a value again and again, or as long as it likes. */
const costly = ['$ref', 'pattern', 'patternProperties', 'format', 'uniqueItems'];
/** Values times characters of the schema that are certainly looked at within `limitMs`. */
const quickWork = 1_000_000;

/**
 * Up to where a value is certain to be checked in time, because each part of the schema is held once, at most, against
 * each part of the value. Undefined where that is not so.
 */
function quickBounds(schema: Schema): Bounds | undefined {
  const parts = Object.values(dereference(schema));
  if (parts.some((part) => typeof part !== 'boolean' && costly.some((key) => Object.hasOwn(part, key))))
    return undefined;
  const nodes = Math.floor(quickWork / JSON.stringify(schema).length);
  return { depth: argumentBounds.depth, nodes, characters: quickWork / 10 };
}

function draftOf({ $schema }: Schema): SchemaDraft {
  if (typeof $schema !== 'string') return '2020-12';
  if ($schema.includes('2019-09')) return '2019-09';
  if ($schema.includes('draft-04')) return '4';
  return /draft-0[67]/.test($schema) ? '7' : '2020-12';
}

function faultWords(errors: readonly OutputUnit[]): string {
  const inner = errors.filter(({ keyword }) => !outer.has(keyword));
  const faults = inner.length > 0 ? inner : errors;
  const told = new Set<string>();
  for (const { instanceLocation, error } of faults) {
    if (told.size >= mostFaults) break;
    told.add(`${placeOf(instanceLocation)}: ${plain(error)}`);
  }
  const words = visible([...told].join('; ').toWellFormed());
  return faults.length > told.size ? `${words}; and more` : words;
}

const plain = (error: string): string => {
  const words = error.replaceAll('Instance type', 'type').replaceAll('Instance', 'it').replace(/\.$/, '');
  return words.length > 200 ? `${words.slice(0, 200)}…` : words;
};

/** `#/a/b` as `/a/b`. */
function placeOf(location: string): string {
  const cut = location.slice(1, 121);
  try {
    return decodeURI(cut) || '/';
  } catch {
    return cut;
  }
}
