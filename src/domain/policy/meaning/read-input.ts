// An input as fields with a meaning each: by the table of a known tool, by the schema of a provider's, or by names.
import type { NamedCall } from '../call.ts';
import { isVault } from '../provider-grants.ts';
import { meaningByName } from './by-name.ts';
import { meaningBySchema } from './by-schema.ts';
import { claudeFields } from './claude-fields.ts';
import { hubFields } from './hub-fields.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import type { Field, Meaning, Reading } from './meaning.ts';
import { type Lookup, lookupsOf } from './table.ts';
import { vaultFields } from './vault-fields.ts';

const claudes = lookupsOf(claudeFields);
const hubs = lookupsOf(hubFields);
const vaults = lookupsOf(vaultFields);

/** JSON in a text in a text …: deeper it is not read. */
const deepestJson = 3;

export function readInput(call: NamedCall): Reading {
  // Only the beginning of it is known.
  if (typeof call.input === 'string') return { fields: [], whole: false };
  const { leaves, whole } = leavesOf(call.input);
  const lookup = lookupOf(call);
  const fields = leaves.flatMap((leaf) => fieldOf(call, lookup, leaf));
  const inner = fields.map((field) => insideOf(field, 0));
  return {
    fields: [...fields, ...inner.flatMap((each) => each.fields)],
    whole: whole && inner.every((each) => each.whole),
  };
}

function lookupOf({ tool, lent, provider }: NamedCall): Lookup | undefined {
  if (!lent) return claudes.get(tool);
  if (provider === undefined) return hubs.get(tool);
  return isVault(provider) ? vaults.get(tool) : undefined;
}

function fieldOf(call: NamedCall, lookup: Lookup | undefined, leaf: Leaf): Field[] {
  const { at, place, value, list } = leaf;
  const entry = lookup?.(place);
  if (entry) {
    const { meaning, usual } = entry;
    if (value === '' || value === usual || (value === false && meaning === 'power')) return [];
    if (meaning !== 'flag' || isFlag(value)) return [{ at, value, list, meaning, understood: true }];
  }
  const told = call.schema && meaningBySchema(call.schema, place, value);
  if (told) return [{ at, value, list, meaning: told, understood: true }];
  const meaning = named(place, value);
  // A tool that nobody describes is taken at its names; a known one has no other fields than the known.
  return [{ at, value, list, meaning, understood: !lookup && !call.schema && meaning !== 'unknown' }];
}

/** The code of a country or of an error is none that runs. */
function named(place: string, value: unknown): Meaning {
  const meaning = meaningByName(place);
  return meaning === 'code' && isFlag(value) ? 'unknown' : meaning;
}

/** One word at most: what is longer may be anything. */
const isFlag = (value: unknown): boolean => typeof value === 'number' || /^[\w-]{1,64}$/.test(String(value));

/** The fields of a text that is JSON: some tools take an object as one. */
function insideOf({ meaning, value, at }: Field, depth: number): Reading {
  const inner = meaning === 'text' ? undefined : parsed(value);
  if (inner === undefined) return { fields: [], whole: true };
  if (depth === deepestJson) return { fields: [], whole: false };
  const { leaves, whole } = leavesOf(inner, at);
  const fields = leaves.map((leaf): Field => {
    const { place, ...found } = leaf;
    return { ...found, meaning: named(place, leaf.value), understood: false };
  });
  const deeper = fields.map((field) => insideOf(field, depth + 1));
  return {
    fields: [...fields, ...deeper.flatMap((each) => each.fields)],
    whole: whole && deeper.every((each) => each.whole),
  };
}

/** @returns undefined for what is no JSON, or no more than a word of it */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || !/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
