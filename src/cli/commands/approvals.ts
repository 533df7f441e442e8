import type { AskRow } from '../../domain/views/ask-row.ts';
import { callBridge } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, say } from '../output/out.ts';
import { safeLine } from '../output/safe.ts';

export async function approvals(options: { state: string; json: boolean }): Promise<number> {
  const asks = await callBridge(options.state, 'permission.list', {}, { timeoutMs: 10_000 });
  if (options.json) printJson(asks);
  else if (asks.length === 0) say('Nothing waits for permission.');
  else print(asks.map((ask) => block(ask, Date.now())).join('\n\n'));
  return exitCodes.ok;
}

/** Whoever approves has to see the whole of it, or how much is left out. */
function block({ code, tool, session, expires_at, question, session_rules }: AskRow, now: number): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(expires_at) - now) / 60_000));
  const rules = session_rules.map((rule) => `--scope session also: ${rule}`);
  const lines = [...question.split('\n'), ...rules].map((line) => `    ${line}`.trimEnd());
  return [`${code}  ${safeLine(tool)}  ${safeLine(session)}  (${minutes}m left)`, ...lines].join('\n');
}

export interface DecideOptions {
  state: string;
  code: string;
  verdict: 'allow' | 'deny';
  reason?: string;
  scope?: 'once' | 'session';
  answer?: string;
  json: boolean;
}

export async function decide(options: DecideOptions): Promise<number> {
  const { state, code, verdict, reason, scope, answer, json } = options;
  const result = await callBridge(
    state,
    'permission.decide',
    {
      code,
      verdict,
      ...(reason !== undefined && { reason }),
      ...(scope !== undefined && { scope }),
      ...(answer !== undefined && { answer }),
    },
    { timeoutMs: 10_000 },
  );
  if (json) printJson(result);
  else say(`${verdict === 'allow' ? 'Allowed' : 'Denied'}: ${result.tool} in ${result.session}.`);
  return exitCodes.ok;
}
