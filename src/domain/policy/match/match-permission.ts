// A rule's `permission` against what a provider's tool may do.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import type { PolicyRule } from '../../../protocol/settings/policy.ts';

/**
 * A rule that restricts fits a call that may do any of what it names, one that allows only a call that may do nothing
 * else. What is no provider's tool has no permissions, and fits neither.
 */
export function fitsPermission(
  wanted: PolicyRule['permission'],
  permissions: readonly string[] | undefined,
  restricts: boolean,
): boolean {
  if (wanted === undefined) return true;
  if (permissions === undefined || permissions.length === 0) return false;
  const patterns = [wanted].flat();
  return restricts
    ? permissions.some((granted) => patterns.some((pattern) => overlap(pattern, granted)))
    : permissions.every((granted) => patterns.some((pattern) => fitsWildcard(pattern, granted)));
}

/** Some text fits both patterns: who was granted `write:*` may do what a rule about `write:vault` restricts. */
function overlap(one: string, other: string): boolean {
  // Row by row: whether the rest of `one` and the rest of `other` from each place on have a text in common.
  let below: boolean[] = [];
  for (let at = one.length; at >= 0; at -= 1) {
    const row: boolean[] = [];
    for (let to = other.length; to >= 0; to -= 1) {
      const [mine, theirs] = [one[at], other[to]];
      const skips = (mine === '*' && below[to]) || (theirs === '*' && row[to + 1]);
      const eats = mine === '*' ? row[to + 1] : theirs === '*' ? below[to] : mine === theirs && below[to + 1];
      row[to] = (mine === undefined && theirs === undefined) || Boolean(skips || eats);
    }
    below = row;
  }
  return below[0] === true;
}
