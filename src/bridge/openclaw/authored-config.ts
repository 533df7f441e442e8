// OpenClaw's configuration file as its owner wrote it. Only looked at: what changes in it, OpenClaw itself writes.
import { readFileSync } from 'node:fs';
import { isObject } from './provider-entry.ts';

export type Authored =
  | { kind: 'absent' }
  /** JSON5 with comments or the like: it can't be read here, and OpenClaw rewrites it as plain JSON. */
  | { kind: 'json5' }
  | { kind: 'json'; value: Record<string, unknown>; bytes: number };

export function readAuthored(path: string): Authored {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { kind: 'absent' };
  }
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { kind: 'json', value, bytes: Buffer.byteLength(text) } : { kind: 'json5' };
  } catch {
    return { kind: 'json5' };
  }
}

/** What stands at a path, undefined when nothing does. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
}

/** Objects that hold our entries, outermost first. */
export const containers = [
  ['agents'],
  ['agents', 'defaults'],
  ['agents', 'defaults', 'model'],
  ['models'],
  ['models', 'providers'],
  ['secrets'],
  ['secrets', 'providers'],
  ['plugins'],
  ['plugins', 'entries'],
  ['mcp'],
  ['mcp', 'servers'],
] as const;
