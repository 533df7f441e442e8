import { failed } from '../../domain/views/check.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { Finding } from './finding.ts';

/** Whether the operator secret can be used: without it nobody could decide anything. */
export async function secretFindings(
  { operator }: Pick<Config, 'operator'>,
  stateDir: string,
): Promise<Finding[]> {
  if (!operator.secret) return [];
  const { openOperatorSecret, SecretUnusableError } = await import('../operator-secret/operator-secret.ts');
  try {
    openOperatorSecret(operator.secret, stateDir, { wall: Date.now });
    return [];
  } catch (error) {
    if (!(error instanceof SecretUnusableError)) throw error;
    return [failed('secret', error.message, error.remedy)];
  }
}
