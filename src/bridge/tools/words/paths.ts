// Addresses are read in the same pass as paths: what looks like a path inside of one is left alone.
const quoted = /(["'`])((?:file:|~?\/|[A-Za-z]:[\\/]|\\\\)[^"'`\n]{0,1000})\1/;
const address = /[a-zA-Z][a-zA-Z0-9+.-]{1,20}:\/\/[^\s"'<>`]*/;
const drive = /\b[A-Za-z]:[\\/][^\s"'<>|:*?]*/;
/** Of a share, or of a drive whose letter something before has taken. */
const share = /(?<![\w.…~\\-])\\{1,2}[^\s\\"'/]+\\[^\s"']+/;
const rooted = /(?:~|\/(?:home|Users|root|tmp|private|var|etc)(?=\/))(?:\/[^\s"'`:;,()<>[\]{}|/]*)+/;
const posix = /(?<![\w.…/~\\-])(?:\/[^\s"'`:;,()<>[\]{}|/]+){2,}\/?/;
const places = new RegExp(
  [quoted, address, drive, share, rooted, posix].map(({ source }) => source).join('|'),
  'g',
);

/** The text with absolute paths of a machine reduced to their last part, and addresses without credentials. */
export const withoutPaths = (text: string): string =>
  text.replace(places, (found: string, quote?: string, path?: string) => {
    if (quote && path) return `${quote}${lastOf(path)}${quote}`;
    return /^[a-z][a-z0-9+.-]+:\/\//i.test(found) && !/^file:/i.test(found)
      ? publicAddress(found)
      : lastOf(found);
  });

function lastOf(path: string): string {
  const last = path.split(/[\\/]/).findLast((part) => part !== '');
  return last === undefined || /^(?:~|file:|[A-Za-z]:)$/.test(last) ? '…' : `…/${last}`;
}

const secretName = /key|token|secret|pass|pwd|auth|sig|code|session|cred/i;

function publicAddress(address: string): string {
  const [whole = '', query] = address.split('?', 2);
  const [scheme, ...rest] = whole.split('//');
  const path = rest.join('//');
  const end = path.indexOf('/');
  const host = end < 0 ? path : path.slice(0, end);
  const bare = `${scheme}//${host.slice(host.lastIndexOf('@') + 1)}${end < 0 ? '' : path.slice(end)}`;
  if (query === undefined) return bare;
  const values = query.split('&').map((pair) => {
    const [name = '', value] = pair.split('=', 2);
    return value && (secretName.test(name) || value.length > 32) ? `${name}=‹secret›` : pair;
  });
  return `${bare}?${values.join('&')}`;
}
