import { closeSync, constants, fstatSync, readFileSync } from 'node:fs';
import { UnsafePathError } from './own-path.ts';
import { openPrivate } from './private-file.ts';

type TokenRead = { ok: true; token: string } | { ok: false; words: string };

/** Where the token of a connection comes from. Asked for each attempt, so that a renewed file needs no restart. */
export type TokenSource = () => TokenRead;

/** Longest token, characters. */
const longestToken = 8_192;

export function tokenSource({ token, tokenFile }: { token?: string; tokenFile?: string }): TokenSource {
  if (tokenFile === undefined) return () => ({ ok: true, token: token ?? '' });
  return () => readTokenFile(tokenFile);
}

/** A secret is only taken from a file of this user that nobody else can read, and never through a link. */
function readTokenFile(path: string): TokenRead {
  try {
    const file = openPrivate(path, constants.O_RDONLY);
    try {
      if (process.platform !== 'win32' && (fstatSync(file).mode & 0o077) !== 0) {
        return { ok: false, words: `${path} can be read by others; run \`chmod 600\` on it` };
      }
      const token = readFileSync(file, 'utf8').trim();
      if (token === '' || token.length > longestToken) return { ok: false, words: `${path} holds no token` };
      return { ok: true, token };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof UnsafePathError) return { ok: false, words: error.message.slice(0, -1) };
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { ok: false, words: `${path} cannot be read (${code})` };
  }
}
