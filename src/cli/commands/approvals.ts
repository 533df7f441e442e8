import type { ControlMethods } from '../../domain/views/control.ts';
import { answerBy } from '../../domain/views/session/answer-by.ts';
import type { AskRow } from '../../domain/views/session/ask-row.ts';
import { withBridge } from '../client/control-client.ts';
import type { RpcConnection } from '../client/rpc-connection.ts';
import { withOthers } from '../client/with-others.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, say, sayLines } from '../output/out.ts';
import { safeLine } from '../output/safe.ts';
import { columnsOf } from '../output/standard-streams.ts';
import { questionLines } from '../output/words/question-lines.ts';

const timeoutMs = 10_000;

export async function approvals(options: { state: string; json: boolean }): Promise<number> {
  const own = await withBridge(options.state, (bridge) => bridge.call('permission.list', {}, { timeoutMs }));
  const { all: asks, silent } = await withOthers(options.state, own, (bridge) =>
    bridge.call('permission.list', {}, { timeoutMs }),
  );
  if (options.json) printJson(asks);
  else if (asks.length === 0) say('Nothing waits for permission.');
  else {
    const columns = columnsOf('stdout');
    const blocks = await Promise.all(asks.map((ask) => askBlock(ask, Date.now(), columns)));
    print(blocks.map((lines) => lines.join('\n')).join('\n\n'));
  }
  if (!options.json) for (const words of silent) say(safeLine(`${words} What waits there is not shown.`));
  return exitCodes.ok;
}

/** Whoever approves has to see the whole of it. */
export async function askBlock(ask: AskRow, now: number, columns: number | undefined): Promise<string[]> {
  const { code, tool, session, node, expires_at, session_rules } = ask;
  const minutes = Math.max(0, Math.ceil((Date.parse(expires_at) - now) / 60_000));
  return [
    `${code}  ${safeLine(tool)}  ${safeLine(session)}${node ? ` on ${node}` : ''}  (${minutes}m left)`,
    ...(await questionLines(ask, '    ', columns)),
    ...session_rules.map((rule) => `    --scope session also: ${safeLine(rule)}`),
  ];
}

export interface DecideOptions {
  state: string;
  code: string;
  verdict: 'allow' | 'deny';
  reason?: string;
  scope?: 'once' | 'session';
  answer?: string;
  /** Allow without asking once more. */
  yes?: boolean;
  json: boolean;
}

/** What is allowed is what is shown here; on a terminal it is asked about once more. */
export async function decide(options: DecideOptions): Promise<number> {
  const { state, code, verdict, reason, scope, answer, json } = options;
  return withBridge(state, async (bridge) => {
    const ask =
      verdict === 'allow' ? await bridge.call('permission.show', { code }, { timeoutMs }) : undefined;
    if (ask && !json) sayLines(await askBlock(ask, Date.now(), columnsOf('stderr')));
    // A yes is no answer to a question of Claude's: the bridge says what is, and nobody is asked in vain.
    const asks = ask && answerBy(ask) === undefined && answer === undefined;
    if (asks && !options.yes && !(await confirmed(scope))) {
      say(`Nothing was changed: ${ask.code} still waits.`);
      return exitCodes.failure;
    }
    const more = {
      ...(reason !== undefined && { reason }),
      ...(scope !== undefined && { scope }),
      ...(answer !== undefined && { answer }),
      ...(ask && { shown: ask.digest }),
    };
    const params = { code, verdict, ...more };
    if (!json) await giveVerdict(bridge, params);
    else {
      const result = await bridge.call('permission.decide', params, { timeoutMs });
      printJson({ ...result, ...(ask && { question: ask.question, shown: ask.digest }) });
    }
    return exitCodes.ok;
  });
}

/** Answers a question, and says so. */
export async function giveVerdict(
  bridge: RpcConnection,
  params: ControlMethods['permission.decide']['params'],
): Promise<void> {
  const { tool, session } = await bridge.call('permission.decide', params, { timeoutMs });
  const done = params.verdict === 'deny' ? 'Denied' : params.answer === undefined ? 'Allowed' : 'Answered';
  say(`${done}: ${safeLine(tool)} in ${safeLine(session)}.`);
}

/** Asked where somebody sits; `approve` of a program starts without what asking needs. */
async function confirmed(scope: 'once' | 'session' | undefined): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true;
  const { Questions } = await import('../questions.ts');
  using questions = new Questions('Nothing was changed: the request still waits.');
  // Awaited here: the terminal is given back when this function is left.
  return await questions.yesNo(
    scope === 'session' ? 'Allow it, and the above for this session' : 'Allow it',
    false,
  );
}
