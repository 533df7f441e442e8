// A key that the configuration does not have, and the one that was probably meant.
import type { ZodType } from 'zod';
import { Config } from '../../protocol/settings/config.ts';
import { nearest } from '../nearest.ts';

/** What can lie within a schema of zod's; of each kind it has some. */
interface Inside {
  shape?: Record<string, ZodType>;
  innerType?: ZodType;
  getter?(): ZodType;
  in?: ZodType;
  element?: ZodType;
  options?: readonly ZodType[];
}

/** @param at where the key was written; its last part is the key */
export function unknownKeyWords(at: readonly PropertyKey[]): string {
  const [group, key] = [at.slice(0, -1), String(at.at(-1))];
  const near = nearest(key, keysIn(Config, group));
  return near === undefined
    ? 'there is no such key'
    : `there is no such key; did you mean \`${[...group, near].join('.')}\`?`;
}

function keysIn(schema: ZodType, at: readonly PropertyKey[]): string[] {
  const { shape, innerType, getter, in: input, element, options = [] } = schema.def as Inside;
  const [first, ...rest] = at;
  if (shape && first === undefined) return Object.keys(shape);
  const next = shape
    ? [shape[String(first)]]
    : element
      ? [element]
      : [innerType, getter?.(), input, ...options];
  const left = shape || element ? rest : at;
  return next.flatMap((each) => (each ? keysIn(each, left) : []));
}
