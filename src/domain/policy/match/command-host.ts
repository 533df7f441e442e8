// A rule's `host` against the words of a shell command.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import { knownReach } from '../programs/known.ts';
import { either, type Fit } from '../ruling.ts';
import type { SimpleCommand } from '../shell.ts';
import { literal, type ShellWord } from '../shell-word.ts';
import { hostPattern, hostsOf } from './host-of.ts';

/** Never allows: what a command does with a URL is not the URL's to say. */
export function commandHost(host: string, command: SimpleCommand, restricts: boolean): Fit {
  return restricts ? reaches(hostPattern(host), command, 0) : 'no';
}

/** Commands within commands beyond which it is asked about. */
const deepest = 5;

function reaches(pattern: string, command: SimpleCommand, depth: number): Fit {
  const { words, redirects, assigned } = command;
  const reach = knownReach(command);
  if (depth > deepest) return 'maybe';
  const spoken = reach?.speaks === 'no' ? [] : words.slice(1);
  return either(
    // Nothing is known of a program, or it finds out by itself whom it speaks to.
    reach && reach.speaks !== 'more' ? 'no' : 'maybe',
    ...spoken.map((word) => namedBy(pattern, word)),
    // `https_proxy=evil.com`, `export ALL_PROXY=…`: for whatever comes behind it.
    ...assigned.map(({ value }) => named(pattern, literal(value) ?? '')),
    // The shell itself speaks to `/dev/tcp/evil.com/80`.
    ...redirects.map(({ word }) => (opensOnlyFiles(word) ? 'no' : namedBy(pattern, word))),
    ...(reach?.inner ?? []).map((each) => reaches(pattern, each, depth + 1)),
  );
}

function namedBy(pattern: string, word: ShellWord): Fit {
  const text = literal(word) ?? wholeHost(word);
  return text === undefined ? 'maybe' : named(pattern, text);
}

/** `http://localhost:3000/$x`: behind the slash no host is told any more. */
function wholeHost({ pieces: [first] }: ShellWord): string | undefined {
  return first?.kind === 'text' ? /^https?:\/\/[^/@\\]+\//i.exec(first.value)?.[0] : undefined;
}

const opensOnlyFiles = ({ pieces: [first] }: ShellWord): boolean =>
  first?.kind === 'home' ||
  first?.kind === 'cwd' ||
  (first?.kind === 'text' &&
    first.value !== '' &&
    !'/dev/tcp/'.startsWith(first.value.slice(0, 9)) &&
    !'/dev/udp/'.startsWith(first.value.slice(0, 9)));

/** Longest cluster of options in front of a value: `-sxevil.com`. */
const mostLetters = 40;

/** A word that is the host; a piece of one may be. */
function named(pattern: string, word: string): Fit {
  const found = [word, ...word.split(/[=@,]/).slice(1)].flatMap(hostsOf);
  if (found.some((host) => fitsWildcard(pattern, host))) return 'yes';
  const plain = decoded(word).normalize('NFKC').toLowerCase();
  const pieces = (plain.match(/[\p{L}\p{N}._-]+/gu) ?? []).flatMap(starts);
  return pieces.some((each) => each !== '' && fitsWildcard(pattern, each)) ? 'maybe' : 'no';
}

function starts(run: string): string[] {
  const whole = run.replace(/\.+$/, '');
  if (!whole.startsWith('-')) return [whole];
  const dashes = /^-+/.exec(whole)?.[0].length ?? 0;
  return Array.from({ length: Math.min(mostLetters, whole.length - dashes) }, (_, at) =>
    whole.slice(dashes + at),
  );
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
