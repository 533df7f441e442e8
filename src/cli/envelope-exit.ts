import type { Envelope } from '../protocol/envelope.ts';
import type { ExitName } from './exit-codes.ts';

/** What of the failures has an exit code of its own. */
const exits: Readonly<Record<string, ExitName>> = {
  INVALID_ARGUMENTS: 'usage',
  TIMEOUT: 'timeout',
  NO_SUCH_TOOL: 'not_found',
  PERMISSION_MISSING: 'denied',
  NOT_PERMITTED: 'denied',
  SECURITY_VIOLATION: 'denied',
  BLOCKED: 'denied',
  CANCELLED: 'interrupted',
};

/** What the shell sees of what a tool answered. */
export function exitOf({ status, data, error }: Envelope): ExitName {
  const own = error && Object.hasOwn(exits, error.code) ? exits[error.code] : undefined;
  if (own) return own;
  if (status === 'healthy' && !error) return 'ok';
  // There is a result, and less of it than there could be.
  return data === null ? 'failure' : 'degraded';
}
