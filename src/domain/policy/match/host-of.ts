// A host, as every client reads it.
/** The host as every client reads it: no user before `@`, no port, no dot at the end, numbers and letters put right. */
export function hostOf(text: string): string | undefined {
  const at = text.indexOf('://');
  const url = URL.parse(`http://${at < 0 ? text : text.slice(at + 3)}`);
  return url?.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') || undefined;
}

/** What a rule's `host` is compared as. */
export const hostPattern = (host: string): string =>
  host.includes('*') ? host.toLowerCase().replace(/\.$/, '') : (hostOf(host) ?? host.toLowerCase());
