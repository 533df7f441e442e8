import { z } from 'zod';

/** Claude Code could not be started: it has seen nothing. */
const startFailures = [
  'claude_not_found',
  'claude_too_old',
  'claude_signed_out',
  'folder_unusable',
  'folder_untrusted',
  'start_dialog',
  'prompt_unknown',
  'sandbox_unavailable',
  'contain_unavailable',
  'start_timeout',
  'start_exited',
] as const;

/** Every way in which a turn can end without an answer. Closed: whoever shows one must know all. */
export const FailureCode = z.enum([
  ...startFailures,
  // Claude Code ran and the turn did not end with an answer
  'exited',
  'rate_limited',
  'provider_error',
  'model_refused',
  'output_limit',
  'auth_failed',
  'model_not_found',
  'context_too_long',
  'prompt_blocked',
  'hooks_off',
  'untold_question',
  'prompt_hidden',
  'stalled',
  'silent',
  'lost_track',
  'interrupted',
  'empty_answer',
  'delivery_failed',
  'tasks_lost',
  // the bridge ended it
  'expired',
  'overflow',
  'bridge_restarted',
  'machine_lost',
  'shutting_down',
  'disk_failed',
  'panic',
  'removed',
  'moved',
]);
export type FailureCode = z.infer<typeof FailureCode>;

/**
 * What a person can clear while the message waits: nothing of it was seen, and it goes to Claude by itself once that is
 * done. Whoever reports one of these of a start says of the message itself whether it waits or fails.
 */
const waitedFor: ReadonlySet<FailureCode> = new Set(['start_dialog', 'prompt_unknown', 'hooks_off']);

export const isWaitedFor = (code: FailureCode | undefined): boolean =>
  code !== undefined && waitedFor.has(code);

export const isStartFailure = (code: FailureCode | undefined): boolean =>
  startFailures.some((each) => each === code);
