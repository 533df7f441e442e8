// Whether a path that an agent or a user named stays inside of the vault, by its letters alone: the same answer on every
// system, so that a vault that is synced between them is no other vault there. The disk is asked in open-inside.ts.
import { isAbsolute, relative, resolve } from 'node:path';
import { quoteName } from './quote-name.ts';
import { hasLostEnd, isDevice } from './windows-name.ts';

/** A name that does not lead to a plain note inside of the vault. Nothing was opened, or nothing of it was used. */
export class OutsideError extends Error {
  readonly code = 'vault_outside';
  readonly suggestion = 'Name it by its path inside of the vault, like `Projects/House.md`.';

  /** @param why goes on behind the quoted name: `is a link` */
  constructor(name: string, why: string) {
    super(`${quoteName(name)} ${why}.`);
    this.name = 'OutsideError';
  }
}

/** Bytes in UTF-8: of a path, of one part of it. */
const longestPath = 1_024;
const longestPart = 255;

/** Letters, digits and what stands in most names: nothing in such a part is worth a closer look. */
const plain = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M} _,'()&+!-]|\.(?=[\p{L}\p{N}])){0,60}[\p{L}\p{N}]$/u;

/**
 * A path inside of the vault, its parts behind `/`, without `.` and empty parts.
 * @param root absolute
 * @param name as somebody gave it
 * @throws OutsideError for what leads out, or would on another system or to another reader
 */
export function inside(root: string, name: string): string {
  if (name.length > longestPath || Buffer.byteLength(name) > longestPath)
    throw new OutsideError(name, 'is too long for a path');
  const why = isPlainPath(name) ? undefined : whyOutside(name);
  if (why !== undefined) throw new OutsideError(name, why);
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const problem = parts.length === 0 ? 'names no file' : parts.map(whyNoPart).find(Boolean);
  if (problem !== undefined) throw new OutsideError(name, problem);
  const path = parts.join('/');
  // What the system at hand makes of it: the last word, whatever was overlooked above.
  const led = relative(root, resolve(root, path));
  if (led === '' || led.startsWith('..') || isAbsolute(led)) throw new OutsideError(name, leadsOut);
  return path;
}

/** Why one part of a path that the disk gave cannot be named to `inside`; undefined when it can. */
export function whyNoName(part: string): string | undefined {
  return isPlainPart(part) ? undefined : (whyOutside(part) ?? whyNoPart(part));
}

const leadsOut = 'leads out of the vault';

const isPlainPart = (part: string): boolean => plain.test(part) && !isDevice(part);

const isPlainPath = (name: string): boolean => name.split('/').every(isPlainPart);

/** Words for a whole path. */
function whyOutside(name: string): string | undefined {
  if (!name.isWellFormed()) return 'is no valid text';
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name)) return 'holds control characters';
  if (name.includes('\\')) return 'holds a backslash; folders stand behind `/`';
  if (leads(name)) return leadsOut;
  if (leads(decoded(name)) || leads(folded(name)) || leads(folded(decoded(name))))
    return `is written so that a reader may take it for a path that ${leadsOut}`;
  return undefined;
}

/** Words for a part of a path. */
function whyNoPart(part: string): string | undefined {
  if (isPlainPart(part)) return undefined;
  if (Buffer.byteLength(part) > longestPart) return 'has a part that is too long for a file name';
  if (hasLostEnd(part)) return 'has a part that ends with a dot or a blank';
  if (isDevice(part)) return 'has a part that is the name of a device';
  if (/^[A-Za-z]:(?! )|:[:$]/.test(part) || (process.platform === 'win32' && part.includes(':')))
    return 'names a drive or a stream';
  return undefined;
}

/** Whether it is a path from elsewhere than the vault, or goes up on its way. */
function leads(path: string): boolean {
  if (/^[/\\~]|^[A-Za-z]:(?:[/\\]|$)|\0/.test(path)) return true;
  return path.split(/[/\\]/).some((part) => /^\.{2,}[. ]*$/.test(part));
}

/** Percent signs and two digits taken for what they stand for; those of too many bytes for a dot or a slash as well. */
function decoded(name: string): string {
  let text = name;
  // A few times over: each reader on a way may have decoded it once.
  for (let turn = 0; turn < 4 && text.includes('%'); turn += 1) {
    text = text
      .replace(/%(?:c0|e0%80|f0%80%80)%(ae|af)/gi, (_, last: string) =>
        last.toLowerCase() === 'ae' ? '.' : '/',
      )
      .replace(
        /%u([0-9a-f]{4})|%([0-7][0-9a-f])/gi,
        (_, long: string | undefined, short: string | undefined) =>
          String.fromCharCode(Number.parseInt(long ?? short ?? '', 16)),
      );
  }
  return text;
}

/** What looks like a dot or a slash taken for one, and what cannot be seen left out. */
const folded = (name: string): string =>
  name
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/[\u2215\u2044\u29f8\u2571\uff0f\u2216\u29f5\u29f9\uff3c\ufe68\u3033\u{1d23a}]/gu, '/')
    .replace(/[\u2025\ufe30]/g, '..')
    .replace(/[\u2026\ufe19]/g, '...')
    .replace(/[\u2024\uff0e\ufe52\ua4f8\u0701\u0702\u{10a50}\u{1d16d}]/gu, '.')
    .replace(/[\uff5e\u223c\u02dc]/g, '~')
    .replace(/[\uff1a\ua789\u2236\ufe55]/g, ':');
