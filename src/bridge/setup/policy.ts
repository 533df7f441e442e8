import { review } from '../../domain/policy/review.ts';
import { type Check, warning } from '../../domain/views/check.ts';
import type { Config } from '../../protocol/settings/config.ts';

/** What of the policy does not do what it seems to. */
export function policyFindings({ policy, approvers, profiles, providers }: Config): Check[] {
  const lists = [approvers, ...profiles.flatMap((profile) => (profile.approvers ? [profile.approvers] : []))];
  const most = Math.max(...lists.map((list) => new Set(list).size));
  const found = review(
    policy,
    most,
    providers.map(({ name }) => name),
  );
  return found.map(({ rule, words, suggestion }) => warning('policy', `Rule ${rule}: ${words}.`, suggestion));
}
