// What a field means by the JSON schema that the tool's provider gives.
import { isPower, isWords, meaningByName } from './by-name.ts';
import type { Meaning } from './meaning.ts';

type Schema = Readonly<Record<string, unknown>>;

/** @param place `edits[].path` @returns undefined where the schema does not say what the field is */
export function meaningBySchema(schema: Schema, place: string, value: unknown): Meaning | undefined {
  const found = schemaAt(schema, place);
  if (!found) return undefined;
  if (isPower(place)) return 'power';
  if (found.const !== undefined) return found.const === value ? 'flag' : undefined;
  if (Array.isArray(found.enum)) return found.enum.includes(value) ? 'flag' : undefined;
  if (found.type === 'boolean') return typeof value === 'boolean' ? 'flag' : undefined;
  if (found.type === 'number' || found.type === 'integer')
    return typeof value === 'number' ? 'flag' : undefined;
  if (found.type !== 'string' || typeof value !== 'string') return undefined;
  const named = meaningByName(place);
  if (named !== 'unknown') return named;
  if (found.format === 'uri' || found.format === 'url') return 'url';
  return isWords(place) ? 'words' : undefined;
}

/** Only through `properties` and `items`: what a reference or a choice leads to is not looked for. */
function schemaAt(schema: Schema, place: string): Schema | undefined {
  let at: unknown = schema;
  for (const step of place.match(/[^.[\]]+|\[\]/g) ?? []) {
    if (!isSchema(at)) return undefined;
    const { items, properties } = at;
    if (step === '[]') at = items;
    else at = isSchema(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined;
  }
  return isSchema(at) ? at : undefined;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
