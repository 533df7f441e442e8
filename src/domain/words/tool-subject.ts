/** Fields whose text says best what a tool use is about, best first: Claude's own words for it, then what it names. */
const subjects = [
  'description',
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'query',
  'url',
] as const;

/** What a tool use is about, as its input gives it: foreign text of any length. '' when nothing says it. */
export const subjectOf = (input: unknown): string =>
  subjects.map((name) => textField(input, name)).find((text) => text.trim() !== '') ?? '';

/** A field of an input that nobody checked; '' when it is not a text. */
export function textField(input: unknown, name: string): string {
  if (typeof input !== 'object' || input === null) return '';
  const value: unknown = Object.getOwnPropertyDescriptor(input, name)?.value;
  return typeof value === 'string' ? value.toWellFormed() : '';
}
