import { hashId } from '../base/digest.ts';

/** UTF-16 code units of a conversation's key: what `hello.openclaw_session` carries (wire protocol). */
const longestKey = 256;
const digestLength = 32;

/**
 * A name given by others as the key of a conversation. One that is too long keeps its beginning, for people, and ends
 * in a digest of the whole: different names stay different, the same name stays the same.
 */
export function sessionKey(name: string): string {
  if (name.length <= longestKey) return name;
  const beginning = name.slice(0, longestKey - digestLength - 1).toWellFormed();
  return `${beginning}~${hashId(name, digestLength)}`;
}
