import { ok } from '../../../domain/views/check.ts';
import { policyFindings } from '../../setup/policy.ts';
import type { Examination } from '../examination.ts';

/** What of the policy does not do what it seems to. */
export const policy: Examination = async ({ config }) => {
  const { length } = config.policy;
  if (length === 0) return [];
  const found = policyFindings(config);
  return found.length > 0
    ? found
    : [
        ok(
          'policy',
          `The policy has ${length === 1 ? 'one rule, which' : `${length} rules, and each of them`} can decide. \`synthesis policy fuzz\` tries ways around ${length === 1 ? 'it' : 'them'}.`,
        ),
      ];
};
