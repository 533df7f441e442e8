import { callBridge } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, say } from '../output/out.ts';
import { table } from '../output/table.ts';

export async function approvals(options: { state: string; json: boolean }): Promise<number> {
  const asks = await callBridge(options.state, 'permission.list', {}, { timeoutMs: 10_000 });
  if (options.json) printJson(asks);
  else if (asks.length === 0) say('Nothing waits for permission.');
  else {
    const rows = asks.map((ask) => [ask.code, ask.tool, JSON.stringify(ask.input).slice(0, 60), ask.session]);
    print(table(['code', 'tool', 'input', 'session'], rows));
  }
  return exitCodes.ok;
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
