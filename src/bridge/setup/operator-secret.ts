import { failed } from '../../domain/views/check.ts';
import type { Config } from '../../protocol/settings/config.ts';
import { openOperatorSecret, SecretUnusableError } from '../operator-secret/operator-secret.ts';
import type { Finding } from './finding.ts';

export const secretRemedy =
  'Correct `operator.secret`: `synthesis secret new` makes one, `synthesis docs config` explains it.';

/** Whether the operator secret can be used: without it nobody could decide anything. */
export function secretFindings({ operator }: Pick<Config, 'operator'>, stateDir: string): Finding[] {
  if (!operator.secret) return [];
  try {
    openOperatorSecret(operator.secret, stateDir, { wall: Date.now });
    return [];
  } catch (error) {
    if (!(error instanceof SecretUnusableError)) throw error;
    return [failed('operator-secret', error.message, secretRemedy)];
  }
}
