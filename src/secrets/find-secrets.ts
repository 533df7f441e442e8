import { accounts } from './accounts.ts';
import { kubernetesSecrets } from './kubernetes.ts';
import { linted } from './linted.ts';
import { named } from './named.ts';
import { below } from './passwords/below.ts';
import { columns } from './passwords/columns.ts';
import { entries } from './passwords/entries.ts';
import { logins } from './passwords/logins.ts';
import { privateKeys } from './private-keys.ts';
import { puttyKeys } from './putty-keys.ts';
import { recoveryCodes } from './recovery-codes.ts';
import type { Place, Secret } from './secret.ts';
import { shaped } from './shapes.ts';
import { tokens } from './tokens/tokens.ts';
import { unescaped } from './unescaped.ts';
import { wallets } from './wallets.ts';

/**
 * What a text keeps that nobody else should read: keys, tokens, passwords, numbers of accounts and cards. Sorted by place,
 * and none overlaps another. Placeholders of documentation are none. Linear in the text; nothing is read or written.
 */
export function findSecrets(text: string): readonly Secret[] {
  const plain = unescaped(text);
  const escaped = plain ? placesIn(plain.text).map((place) => plain.original(place)) : [];
  return withLines(text, apart([...placesIn(text), ...escaped]));
}

/** What knows best what it is comes first, and gives overlapping ones its name. */
const placesIn = (text: string): Place[] => [
  ...linted(text),
  ...shaped(text, tokens),
  ...privateKeys(text),
  ...puttyKeys(text),
  ...wallets(text),
  ...kubernetesSecrets(text),
  ...accounts(text),
  ...named(text),
  ...entries(text),
  ...below(text),
  ...columns(text),
  ...logins(text),
  ...recoveryCodes(text),
];

/** Overlapping ones become one, which is named like the one that was found first. */
function apart(places: readonly Place[]): Place[] {
  const rank = new Map(places.map((place, at) => [place, at]));
  const one: Place[] = [];
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    const last = one.at(-1);
    if (last === undefined || place.start >= last.end) {
      one.push(place);
      continue;
    }
    const first = (rank.get(place) ?? 0) < (rank.get(last) ?? 0) ? place : last;
    const both = { start: last.start, end: Math.max(last.end, place.end), kind: first.kind };
    rank.set(both, rank.get(first) ?? 0);
    one[one.length - 1] = both;
  }
  return one;
}

function withLines(text: string, places: readonly Place[]): Secret[] {
  let line = 1;
  // Looked for once: a text of one line would be searched to its end for each of its secrets.
  let next = text.indexOf('\n');
  return places.map((place) => {
    while (next >= 0 && next < place.start) {
      line += 1;
      next = text.indexOf('\n', next + 1);
    }
    return { ...place, line };
  });
}
