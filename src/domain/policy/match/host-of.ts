// The hosts in a text that is an address, read as WHATWG's URL parser and other clients read it.

/** Parsers before WHATWG's took these away, or did not; it does. */
function stripped(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text.charCodeAt(from) <= 0x20) from += 1;
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to -= 1;
  return text.slice(from, to).replace(/[\t\n\r]/g, '');
}

/** Characters of an address beyond which none is read; browsers take a little more. */
const longestAddress = 8_192;
/** `view-source:blob:https://…`: schemes around an address beyond which nobody can tell. */
const mostSchemes = 16;

/** Those of which the parser always finds a host. */
const webSchemes = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);

const bare = (hostname: string): string => plainAddress(hostname.replace(/[[\]]/g, '').replace(/\.$/, ''));

/** `::ffff:a01:203` is 10.1.2.3, as every system connects to it. */
function plainAddress(host: string): string {
  const parts = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(host)?.slice(1);
  return parts
    ? parts.flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff]).join('.')
    : host;
}

/** The host of `text` behind `http://`; numbers and letters put right, no user, no port, no dot at the end. */
const ofWeb = (text: string): string => bare(URL.parse(`http://${text}`)?.hostname ?? '');

/**
 * Every host that some client may read in an address, for a rule that restricts. Also of `host:path` and
 * `user@host:path`, and of an address behind another scheme.
 * @returns none where there is none, and where it is too long to be one
 */
export function hostsOf(text: string): readonly string[] {
  if (text.length > longestAddress) return [];
  const found = new Set<string>();
  let rest = stripped(text);
  for (let left = mostSchemes; left >= 0; left -= 1) {
    addHosts(rest, found);
    const scheme = schemeOf(rest);
    if (scheme === '') {
      found.delete('');
      return [...found];
    }
    rest = rest.slice(scheme.length);
  }
  return [];
}

/** With its colon; empty where there is none. */
const schemeOf = (text: string): string => /^(?:[a-z][a-z0-9+.-]*:)?/i.exec(text)?.[0] ?? '';

function addHosts(text: string, found: Set<string>): void {
  const url = URL.parse(text);
  if (url) found.add(bare(url.hostname));
  const behind = text.replace(/^.*?\/\//, '');
  // What the parser takes for an address of the web has one host; a scheme of its own may be a name with a port.
  if (!webSchemes.has(url?.protocol ?? '')) for (const each of [text, behind]) found.add(ofWeb(each));
  // Older parsers do not take `\` for a slash, and the port may be a path.
  const authority = behind.replace(/[/?#].*$/, '');
  found.add(ofWeb(authority.slice(authority.lastIndexOf('@') + 1).replace(/:[^\]]*$/, '')));
}

/** The host, as the first reading of `hostsOf` gives it. */
export const hostOf = (text: string): string | undefined => hostsOf(text)[0];

/** The host of an address of the web that every client reads alike, for a rule that allows; undefined of every other. */
export function webHost(text: string): string | undefined {
  const plain = text.trim();
  if (plain.length > longestAddress || /[\\\0-\x20]/.test(plain)) return undefined;
  const url = URL.parse(/^https?:\/\/(?!\/)/i.test(plain) ? plain : withScheme(plain));
  if (!url) return undefined;
  // Clients do not agree where the host begins when there is a user in front of it.
  return url.username + url.password === '' ? bare(url.hostname) || undefined : undefined;
}

/** Of `good.com/x` and `good.com:80`; empty where there is another scheme, or no host in front. */
function withScheme(text: string): string {
  const scheme = schemeOf(text);
  const isPort = scheme.includes('.') && /^\d{1,5}(?:[/?#]|$)/.test(text.slice(scheme.length));
  return /^[/:]/.test(text) || (scheme !== '' && !isPort) ? '' : `http://${text}`;
}

/** What a rule's `host` is compared as. */
export const hostPattern = (host: string): string =>
  host.includes('*') ? host.toLowerCase().replace(/\.$/, '') : (hostOf(host) ?? host.toLowerCase());
