import { review } from '../../domain/policy/review.ts';
import { ok, warning } from '../../domain/views/check.ts';
import type { Examination } from './examination.ts';

const name = 'policy';

/** What of the policy does not do what it seems to. */
export const policy: Examination = async ({ config }) => {
  const { policy: rules, approvers, profiles, providers } = config;
  if (rules.length === 0) return [];
  const lists = [approvers, ...profiles.flatMap((profile) => (profile.approvers ? [profile.approvers] : []))];
  const most = Math.max(...lists.map((list) => new Set(list).size));
  const found = review(
    rules,
    most,
    providers.map(({ name }) => name),
  );
  if (found.length === 0)
    return [ok(name, `The policy has ${rules.length} rules, and each of them can decide.`)];
  return found.map(({ rule, words, suggestion }) => warning(name, `Rule ${rule}: ${words}.`, suggestion));
};
