// What a note's frontmatter says of it. Data of somebody: nothing of it is run, and only three names are looked up.
import { parseDocument } from 'yaml';
import { most } from './bounds.ts';
import { oneLine } from './one-line.ts';

export interface Metadata {
  readonly title: string | undefined;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
}

const none: Metadata = { title: undefined, aliases: [], tags: [] };

/** Of lists in each other, and of aliases of YAML. A note needs two of the former, and none of the latter. */
const deepest = 30;
const mostAliases = 10;

/** @returns nothing of a frontmatter that is not valid YAML, or no mapping */
export function readMetadata(yaml: string): Metadata {
  if (isDeep(yaml)) return none;
  const data = parsed(yaml);
  if (!(data instanceof Map)) return none;
  const tags = [...values(data, 'tags', /[,\s]+/), ...values(data, 'tag', /[,\s]+/)];
  const aliases = [...values(data, 'aliases', /,/), ...values(data, 'alias', /,/)];
  return {
    title: oneLine(scalar(data.get('title')) ?? '', most.title) || undefined,
    aliases: aliases.map((each) => oneLine(each, most.aliases.length)),
    tags: tags.map((each) => each.trim().replace(/^#/, '')),
  };
}

/** Maps as maps: no name in the text is a property of anything. */
function parsed(yaml: string): unknown {
  try {
    // A secret's place, as it is masked, has a colon, which YAML does not allow there.
    const text = yaml.replace(/‹secret: [^›\n]{1,60}›/g, '‹secret›');
    const document = parseDocument(text, { schema: 'core', prettyErrors: false, logLevel: 'silent' });
    return document.errors.length > 0
      ? undefined
      : document.toJS({ mapAsMap: true, maxAliasCount: mostAliases });
  } catch {
    return undefined;
  }
}

/** Counted roughly, in advance: a parser that calls itself for each level has to be kept from it. */
function isDeep(yaml: string): boolean {
  let depth = 0;
  for (const [each] of yaml.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (each === '[' || each === '{' ? 1 : -1));
    if (depth > deepest) return true;
  }
  return /(?:^|\n)[ \t]{60}|(?:[-?:][ \t]{1,4}){30}/.test(yaml);
}

function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A list, or a text that is one. */
function values(data: ReadonlyMap<unknown, unknown>, name: string, between: RegExp): string[] {
  const value = data.get(name);
  const all: readonly unknown[] = Array.isArray(value) ? value : (scalar(value)?.split(between) ?? []);
  return all.map(scalar).filter((each) => each !== undefined);
}
