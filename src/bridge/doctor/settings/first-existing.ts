import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The path itself, or the nearest directory above it that exists. */
export function firstExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : firstExisting(dirname(path));
}
