// An input as fields with a meaning each: by the table of a known tool, by the schema of a provider's, or by names.
import type { NamedCall } from '../call.ts';
import { isVault } from '../provider-grants.ts';
import { meaningByName } from './by-name.ts';
import { meaningBySchema } from './by-schema.ts';
import { claudeFields } from './claude-fields.ts';
import { hubFields } from './hub-fields.ts';
import { collectLeaves, type Leaf } from './leaves.ts';
import type { Field, Meaning, Reading } from './meaning.ts';
import { type Lookup, lookupIn } from './table.ts';
import { vaultFields } from './vault-fields.ts';

/** JSON in a text in a text …: deeper it is not read. */
const deepestJson = 3;

export function readInput(call: NamedCall): Reading {
  // Only the beginning of it is known.
  if (typeof call.input === 'string') return { fields: [], whole: false };
  const leaves: Leaf[] = [];
  let whole = collectLeaves(call.input, leaves);
  const lookup = lookupOf(call);
  const fields = leaves.flatMap((leaf) => fieldOf(call, lookup, leaf));
  for (const field of [...fields]) whole &&= addJson(field, fields, 0);
  return { fields, whole };
}

function lookupOf({ tool, lent, provider }: NamedCall): Lookup | undefined {
  if (!lent) return lookupIn(claudeFields, tool);
  if (provider === undefined) return lookupIn(hubFields, tool);
  return isVault(provider) ? lookupIn(vaultFields, tool) : undefined;
}

function fieldOf(call: NamedCall, lookup: Lookup | undefined, leaf: Leaf): Field[] {
  const { at, place, value, list } = leaf;
  const field = (meaning: Meaning, understood: boolean): Field[] => [
    { at, meaning, understood, value, ...(list !== undefined && { list }) },
  ];
  const entry = lookup?.(place);
  if (entry) {
    const { meaning, usual } = entry;
    if (value === '' || value === usual || (value === false && meaning === 'power')) return [];
    if (meaning !== 'flag' || isFlag(value)) return field(meaning, true);
  }
  const told = call.schema && meaningBySchema(call.schema, place, value);
  if (told) return field(told, true);
  const meaning = named(place, value);
  // A tool that nobody describes is taken at its names; a known one has no other fields than the known.
  const understood = !lookup && !call.schema && meaning !== 'unknown' && typeof value === 'string';
  return field(meaning, understood);
}

/** The code of a country or of an error is none that runs. */
function named(place: string, value: unknown): Meaning {
  const meaning = meaningByName(place);
  return meaning === 'code' && isFlag(value) ? 'unknown' : meaning;
}

/** One word at most: what is longer may be anything. */
const isFlag = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && /^[\w-]{1,64}$/.test(value));

/** A text that is JSON is looked into, too: some tools take an object as one. */
function addJson({ meaning, value, at }: Field, fields: Field[], depth: number): boolean {
  if (meaning === 'text' || typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return true;
  const inner = parsed(value);
  if (inner === undefined) return true;
  if (depth === deepestJson) return false;
  const leaves: Leaf[] = [];
  const whole = collectLeaves(inner, leaves, at, at);
  const added = leaves.map((leaf): Field => {
    const { list } = leaf;
    return {
      at: leaf.at,
      meaning: named(leaf.place, leaf.value),
      understood: false,
      value: leaf.value,
      ...(list !== undefined && { list }),
    };
  });
  fields.push(...added);
  return added.every((each) => addJson(each, fields, depth + 1)) && whole;
}

/** @returns undefined for what is no JSON, or says nothing more than its text */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value === text ? undefined : value;
  } catch {
    return undefined;
  }
}
