// A rule's `host` against the addresses in the fields of a tool's input, and in texts that may hold one.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import type { Field, Reading } from '../meaning/meaning.ts';
import type { Fit } from '../ruling.ts';
import { hostPattern, hostsOf } from './host-of.ts';

/** The hosts of an input. */
export interface InputHosts {
  /** Of each address; empty where it has none that can be read. */
  named: readonly (readonly string[])[];
  /** Those that a text, or the rest of an address, may mean. */
  loose: readonly string[];
  /** Of these, those that stand behind `//`. */
  addresses: readonly string[];
  /** There is more than was looked at. */
  more: boolean;
}

const mostPieces = 2_000;

export function inputHosts({ fields, whole }: Reading): InputHosts {
  const named: (readonly string[])[] = [];
  const loose = new Set<string>();
  const addresses = new Set<string>();
  let pieces = 0;
  for (const { meaning, value } of fields) {
    const isNamed = (meaning === 'url' && !isData(value)) || (meaning === 'media' && isAddress(value));
    if (isNamed) named.push(typeof value === 'string' ? hostsOf(value) : []);
    if (typeof value !== 'string' || !isLoose(meaning)) continue;
    if (!isNamed) for (const host of hostsOf(value)) loose.add(host);
    for (const [behindSlashes, piece] of piecesOf(isNamed ? restOf(value) : value)) {
      pieces += 1;
      if (pieces > mostPieces) break;
      for (const host of hostsOf(piece)) (behindSlashes ? addresses : loose).add(host);
    }
  }
  return { named, loose: [...loose], addresses: [...addresses], more: !whole || pieces > mostPieces };
}

/** For a rule that restricts. */
export function inputHost(host: string, { named, loose, addresses, more }: InputHosts): Fit {
  const pattern = hostPattern(host);
  const fits = (each: string): boolean => fitsWildcard(pattern, each);
  if (named.some((hosts) => hosts.some(fits))) return 'yes';
  if (more || named.some((hosts) => hosts.length === 0) || addresses.some(fits)) return 'maybe';
  // Every word could be a host where all of them are meant.
  return /[^*.?]/.test(pattern) && loose.some(fits) ? 'maybe' : 'no';
}

/** Everything but what its meaning says is no address; commands are read for themselves. */
const isLoose = (meaning: Field['meaning']): boolean =>
  meaning !== 'text' && meaning !== 'flag' && meaning !== 'command' && meaning !== 'patch';

/** Of a field that may hold a file or an address. */
export const isAddress = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(value.trim()) &&
  !/^(?:data|file):/i.test(value.trim());

/** It holds what it names. */
const isData = (value: unknown): boolean => typeof value === 'string' && /^data:/i.test(value.trim());

/** Behind the host: `?url=https://evil.com`. */
const restOf = (address: string): string =>
  decoded(address.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?[/\\]*[^/\\?#]*/i, ''));

/** `%2e` is a dot, at most twice over. */
function decoded(text: string): string {
  const once = (from: string): string =>
    from.replace(/%[0-7][\da-f]/gi, (hex) => String.fromCharCode(Number.parseInt(hex.slice(1), 16)));
  return once(once(text));
}

/** Words that may be a host, and whether `//` stands before them. */
function* piecesOf(text: string): Generator<[behindSlashes: boolean, piece: string]> {
  for (const { index, 0: piece } of text.matchAll(/[^\s"'`<>|,;()[\]{}=&?#/\\:@!$^*+]+/g)) {
    const slashes = /[/\\]{2}/.test(text.slice(index - 2, index));
    if (slashes || /[.%\u0080-\uffff]/.test(piece)) yield [slashes, piece];
  }
}
