import type { FailureCode } from '../../../protocol/events/failures.ts';
import type { StopFailureHook } from '../hooks/hook-schema.ts';

const codes: Readonly<Record<string, FailureCode>> = {
  rate_limit: 'rate_limited',
  usage_limit: 'rate_limited',
  overloaded: 'provider_error',
  server_error: 'provider_error',
  authentication_failed: 'auth_failed',
  oauth_org_not_allowed: 'auth_failed',
  billing_error: 'auth_failed',
  model_not_found: 'model_not_found',
  // Measured on 2.1.332, which lets Claude go on three times before it gives up.
  max_output_tokens: 'output_limit',
};

/** Under `invalid_request`, with this page in its text (measured on 2.1.332, when it was refused twice). */
const usagePolicy = /anthropic\.com\/legal\/aup/i;

/** Claude Code's name of an API failure → ours. Measured on 2.1.329: 500 and 529 are server_error, 401 and 403 authentication_failed. */
export function failureCode(
  hook: Pick<StopFailureHook, 'error' | 'error_details' | 'last_assistant_message'>,
): FailureCode {
  const known = codes[hook.error];
  if (known) return known;
  if (hook.error === 'invalid_request' && usagePolicy.test(hook.last_assistant_message ?? ''))
    return 'model_refused';
  const words = `${hook.error_details ?? ''} ${hook.last_assistant_message ?? ''}`;
  if (/prompt is too long|context (?:window|length)|too many tokens|\b413\b/i.test(words))
    return 'context_too_long';
  return 'provider_error';
}

/** @param signedOut `claude auth status` said so */
export function failureDetail(hook: StopFailureHook, signedOut: boolean): string {
  const said = (hook.last_assistant_message ?? hook.error_details ?? hook.error).trim().slice(0, 500);
  return signedOut && failureCode(hook) === 'auth_failed'
    ? `${said} (Claude Code is not signed in: run "claude" once and sign in.)`
    : said;
}
