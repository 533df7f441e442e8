// A rule's `host` against the URLs that a call names.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import { fields, type NamedCall } from '../call.ts';
import { isNetworker, isRunner, mayRunAnything } from '../programs.ts';
import { both, either, type Fit } from '../ruling.ts';
import type { SimpleCommand } from '../shell.ts';
import { literal } from '../shell-word.ts';

const urlField = /^(?:.*_)?(?:url|uri|host|hostname|endpoint)s?$|(?:Url|Uri|Host)s?$/;

/** The host as every client reads it: no user before `@`, no port, no dot at the end, numbers and letters put right. */
function hostOf(text: string): string | undefined {
  const at = text.indexOf('://');
  const url = URL.parse(`http://${at < 0 ? text : text.slice(at + 3)}`);
  return url?.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') || undefined;
}

const pattern = (host: string): string =>
  host.includes('*') ? host.toLowerCase().replace(/\.$/, '') : (hostOf(host) ?? host.toLowerCase());

export function inputHost(host: string, { input }: NamedCall, restricts: boolean): Fit {
  if (typeof input === 'string') return restricts ? 'maybe' : 'no';
  const urls = Object.entries(fields(input)).flatMap(([name, value]) =>
    urlField.test(name) ? (Array.isArray(value) ? value : [value]) : [],
  );
  const fits = urls.map((url): Fit => {
    const given = typeof url === 'string' ? hostOf(url.trim()) : undefined;
    if (given === undefined) return restricts ? 'maybe' : 'no';
    return fitsWildcard(pattern(host), given) ? 'yes' : 'no';
  });
  return restricts || fits.length === 0 ? either(...fits) : both(...fits);
}

/** Never allows: what a command does with a URL is not the URL's to say. */
export function commandHost(host: string, { words }: SimpleCommand, restricts: boolean): Fit {
  if (!restricts) return 'no';
  const [program, ...rest] = words.map(literal);
  const speaks =
    program === undefined || isNetworker(program) || isRunner(program) || mayRunAnything(program);
  return either(
    program !== undefined && mayRunAnything(program) ? 'maybe' : 'no',
    ...rest.map((word): Fit => {
      if (word === undefined) return speaks ? 'maybe' : 'no';
      const given = [word, ...word.split(/[=@]/).slice(1)].map(hostOf);
      return given.some((each) => each !== undefined && fitsWildcard(pattern(host), each)) ? 'yes' : 'no';
    }),
  );
}
