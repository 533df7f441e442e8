// Secrets that are known by their value: whatever they look like, and in the forms that JSON and addresses give them.
import type { Place } from '../secret.ts';

/** Shorter ones stand in many texts that have nothing to do with them. */
const shortest = 8;
export const ownKind = 'known to the bridge';

/** Each value that is long enough, in all its forms, the longest first. */
export function formsOf(values: readonly string[]): string[] {
  const forms = values
    .filter((value) => value.length >= shortest)
    .flatMap((value) => [
      value,
      encodeURIComponent(value.toWellFormed()),
      JSON.stringify(value).slice(1, -1),
    ]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Where the forms stand in a text, none over another. */
export function valuePlaces(text: string, forms: readonly string[]): Place[] {
  const places: Place[] = [];
  for (const form of forms)
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
      const end = at + form.length;
      if (!places.some((place) => place.start < end && at < place.end))
        places.push({ start: at, end, kind: ownKind });
    }
  return places.sort((a, b) => a.start - b.start);
}

/** Where the last characters of a text may be the beginning of one of the forms; its length, where they are none. */
export function beginningAt(text: string, forms: readonly string[]): number {
  let first = text.length;
  for (const form of forms) {
    const from = Math.max(0, text.length - form.length + 1);
    const head = form.charAt(0);
    for (let at = text.indexOf(head, from); at >= 0 && at < first; at = text.indexOf(head, at + 1))
      if (form.startsWith(text.slice(at))) first = at;
  }
  return first;
}
