import { withBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { onReaderGone } from '../../output/standard-streams.ts';
import { AnswerView } from '../../send/answer-view.ts';
import { InlineQuestions } from '../../send/inline-questions.ts';
import { Leave } from '../../send/leave.ts';

export interface SendOptions {
  state: string;
  session: string;
  text: string;
  create: boolean;
  wait: boolean;
  json: boolean;
}

/**
 * Sends a message as the operator and shows the answer as Claude writes it. At a terminal its questions are asked there.
 * @throws CliError `left` at Ctrl-C
 */
export function send({ state, session, text, create, wait, json }: SendOptions): Promise<number> {
  // The message is on disk, and its answer does not depend on who looks on.
  onReaderGone(() => process.exit(exitCodes.ok));
  return withBridge(state, async (bridge) => {
    using leave = new Leave(session);
    using view = new AnswerView();
    const { stdin, stderr } = process;
    // One that was read to its end, as the message, brings no answer either.
    const canAsk = !json && stdin.isTTY === true && !stdin.readableEnded && stderr.isTTY === true;
    const questions = canAsk ? new InlineQuestions(bridge, view, leave) : undefined;
    const onNotification = (method: string, params: Record<string, unknown>) => {
      leave.stored();
      if (json) return printJson({ event: method, ...params, call: undefined });
      const said = String(params.text ?? params.words);
      if (method === 'answer') view.text(said);
      else if (method === 'status') view.waits(said);
      else if (questions && method === 'question') questions.ask(String(params.code));
      else if (questions && method === 'decided') questions.decided(String(params.code), said);
      else view.say(method === 'question' ? `\n${said}\n` : said);
    };
    const sent = bridge.call('session.send', { session, text, create, follow: wait }, { onNotification });
    try {
      const result = await Promise.race([sent, leave.left, ...(questions ? [questions.failed] : [])]);
      await questions?.end();
      if (json) printJson({ event: 'result', ...result });
      view[Symbol.dispose]();
      if (!json && result.words) say(result.words);
      return result.outcome === 'completed' || result.outcome === 'accepted'
        ? exitCodes.ok
        : exitCodes.failure;
    } finally {
      await questions?.end();
    }
  });
}
