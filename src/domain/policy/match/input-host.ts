// A rule's `host` against the URLs in the fields of a tool's input.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import { fields, type NamedCall } from '../call.ts';
import { both, either, type Fit } from '../ruling.ts';
import { hostOf, hostPattern } from './host-of.ts';

const urlField = /^(?:.*_)?(?:url|uri|host|hostname|endpoint)s?$|(?:Url|Uri|Host)s?$/;

export function inputHost(host: string, { input }: NamedCall, restricts: boolean): Fit {
  if (typeof input === 'string') return restricts ? 'maybe' : 'no';
  const urls = Object.entries(fields(input)).flatMap(([name, value]) =>
    urlField.test(name) ? (Array.isArray(value) ? value : [value]) : [],
  );
  const fits = urls.map((url): Fit => {
    const given = typeof url === 'string' ? hostOf(url.trim()) : undefined;
    if (given === undefined) return restricts ? 'maybe' : 'no';
    return fitsWildcard(hostPattern(host), given) ? 'yes' : 'no';
  });
  return restricts || fits.length === 0 ? either(...fits) : both(...fits);
}
