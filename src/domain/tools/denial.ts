import type { Door } from '../../protocol/events/permission-events.ts';
import type { Ruling } from '../policy/ruling.ts';

/** What Claude reads as the result of the tool it could not use. */
export function denialWords(tool: string, { by, reason }: { by: Door; reason?: string | undefined }): string {
  const why = reason?.trim();
  if (by === 'expiry') return 'Denied: nobody answered in time.';
  if (by === 'bridge') return why ? `Denied: ${why}.` : 'Denied.';
  const what = tool === 'AskUserQuestion' ? 'The user declined to answer' : 'Denied by the user';
  return why ? `${what}: ${why}` : `${what}.`;
}

/** The same where a rule said no, and nobody was asked. */
export const ruledOut = ({ rule, reason }: Ruling): string =>
  `Denied by the policy${rule === undefined ? '' : ` (rule ${rule})`}: ${reason ?? 'the operator does not allow this'}.`;
