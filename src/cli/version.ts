import { readFileSync } from 'node:fs';

/** The package's version. Both `src/cli/` and `dist/chunks/` lie two folders below package.json. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
