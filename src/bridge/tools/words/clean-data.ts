import { resultBounds, tooDeepOrLarge } from '../schema/bounds.ts';
import { withoutEscapes } from './escapes.ts';
import { withoutSecrets } from './secrets.ts';

/** Keys that would reach a prototype. */
const dropped = '__proto__';

/**
 * A copy of a result's data without escapes, unseen characters and secrets, in strings and keys; anything else stays,
 * as it is data.
 *
 * @returns words, where there is too much of it or it is no JSON
 */
export function cleanData(value: unknown, secrets: readonly string[]): { data: unknown } | { words: string } {
  const big = tooDeepOrLarge(value, resultBounds, 'allow');
  if (big) return { words: withoutSecrets(withoutEscapes(big), secrets) };
  const clean = (text: string) => withoutSecrets(withoutEscapes(text), secrets);
  const open: { from: object; to: unknown[] | Record<string, unknown> }[] = [];
  const copy = (each: unknown): unknown => {
    if (typeof each === 'string') return clean(each);
    if (typeof each !== 'object' || each === null) return each;
    const to: unknown[] | Record<string, unknown> = Array.isArray(each) ? [] : {};
    open.push({ from: each, to });
    return to;
  };
  const data = copy(value);
  for (let next = open.pop(); next; next = open.pop()) {
    const { from, to } = next;
    if (Array.isArray(to)) {
      for (const each of from as unknown[]) to.push(copy(each));
      continue;
    }
    for (const [key, each] of Object.entries(from)) {
      const name = clean(key);
      if (name !== dropped) to[name] = copy(each);
    }
  }
  return { data };
}
