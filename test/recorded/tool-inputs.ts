import { createHash } from 'node:crypto';

interface Tool {
  name: string;
  /** JSON schema of what the tool is called with. */
  input: unknown;
}

/** Name → a fingerprint of the input's schema, in order. The schema itself is long, and its words change often. */
export function toolInputs(tools: readonly Tool[]): Record<string, string> {
  const prints = tools.map(({ name, input }) => [name, fingerprint(input)] as const);
  return Object.fromEntries(prints.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const fingerprint = (input: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(input, withoutWords) ?? '')
    .digest('hex')
    .slice(0, 12);

/** In the order of keys; a `description` that is text is prose, one that is an object is a field of that name. */
const withoutWords = (key: string, value: unknown): unknown => {
  if (key === 'description' && typeof value === 'string') return undefined;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
};
