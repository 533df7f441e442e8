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
/** `view-source:blob:https://…`: schemes around an address beyond which none is looked for. */
const mostSchemes = 4;

const bare = (hostname: string): string => plainAddress(hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''));

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
 */
export function hostsOf(text: string): readonly string[] {
  const found = new Set<string>();
  if (text.length > longestAddress) return [];
  let rest = stripped(text);
  for (let depth = 0; depth <= mostSchemes; depth += 1) {
    addHosts(rest, found);
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(rest)?.[0];
    if (scheme === undefined) break;
    rest = rest.slice(scheme.length);
  }
  found.delete('');
  return [...found];
}

function addHosts(text: string, found: Set<string>): void {
  const url = URL.parse(text);
  if (url) found.add(bare(url.hostname));
  const special = url !== null && /^(?:https?|wss?|ftp):$/.test(url.protocol);
  const slashes = text.indexOf('//');
  const behind = slashes < 0 ? text : text.slice(slashes + 2);
  // What the parser takes for an address of the web has one host; a scheme of its own may be a name with a port.
  if (!special) for (const each of [text, behind]) found.add(ofWeb(each));
  // Older parsers do not take `\` for a slash.
  const authority = /^[^/?#]*/.exec(behind)?.[0] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (!special || authority.includes('\\')) found.add(ofWeb(host.replace(/:[^\]]*$/, '')));
}

/** The host, as the first reading of `hostsOf` gives it. */
export const hostOf = (text: string): string | undefined => hostsOf(text)[0];

/** The host of an address of the web that every client reads alike, for a rule that allows; undefined of every other. */
export function webHost(text: string): string | undefined {
  const plain = text.trim();
  if (plain.length > longestAddress || /[\\\0-\x20]/.test(plain)) return undefined;
  const address = /^https?:\/\/(?!\/)/i.test(plain) ? plain : withoutScheme(plain);
  const url = address === undefined ? null : URL.parse(address);
  // More than one `@`, and clients do not agree where the host begins.
  if (!url || /^[^/?#]*\/\/[^/?#]*@[^/?#]*@/.test(address ?? '')) return undefined;
  return bare(url.hostname) || undefined;
}

/** `good.com/x` and `good.com:80`, but no scheme. */
function withoutScheme(text: string): string | undefined {
  if (/^[/:]/.test(text)) return undefined;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0];
  const isPort = scheme?.includes('.') && /^\d{1,5}(?:[/?#]|$)/.test(text.slice(scheme.length));
  if (scheme !== undefined && !isPort) return undefined;
  return `http://${text}`;
}

/** What a rule's `host` is compared as. */
export const hostPattern = (host: string): string =>
  host.includes('*') ? host.toLowerCase().replace(/\.$/, '') : (hostOf(host) ?? host.toLowerCase());
