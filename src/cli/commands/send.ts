import { callBridge } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson, printPart, say } from '../output/out.ts';
import { onReaderGone } from '../output/reader-gone.ts';

export interface SendOptions {
  state: string;
  session: string;
  text: string;
  create: boolean;
  wait: boolean;
  json: boolean;
}

/** Sends a message as the operator and shows the answer as Claude writes it. */
export async function send(options: SendOptions): Promise<number> {
  let last = '\n';
  // The message is on disk, and its answer does not depend on who looks on.
  onReaderGone(() => process.exit(exitCodes.ok));
  const result = await callBridge(
    options.state,
    'session.send',
    { session: options.session, text: options.text, create: options.create, follow: options.wait },
    {
      onNotification: (method, params) => {
        if (typeof params.text !== 'string') return;
        if (options.json) return printJson({ event: method, ...params, call: undefined });
        if (method !== 'answer') return say(`\n${params.text}\n`);
        printPart(params.text);
        last = params.text.at(-1) ?? last;
      },
    },
  );
  if (options.json) printJson({ event: 'result', ...result });
  else if (last !== '\n') printPart('\n');
  if (!options.json && result.words) say(result.words);
  return result.outcome === 'completed' || result.outcome === 'accepted' ? exitCodes.ok : exitCodes.failure;
}
