// stop, interrupt, restart: one call, one sentence.
import type { ControlMethod } from '../../domain/views/control.ts';
import { modeText } from '../../domain/views/mode-words.ts';
import { callBridge } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson, say } from '../output/out.ts';
import { safeLine } from '../output/safe.ts';

type Action = Extract<ControlMethod, 'session.stop' | 'session.interrupt' | 'session.restart'>;

const sentences: Record<Action, (session: string) => string> = {
  'session.stop': (session) =>
    `Stopping Claude Code of ${session}. Its conversation is kept; the next message resumes it.`,
  'session.restart': (session) => `Claude Code of ${session} runs again, on the same conversation.`,
  'session.interrupt': (session) => `Interrupted what runs in ${session}.`,
};

/** Milliseconds. Claude Code may take its time to end and to start; the bridge has deadlines of its own. */
const patience: Record<Action, number> = {
  'session.stop': 15_000,
  'session.interrupt': 15_000,
  'session.restart': 300_000,
};

export interface ActionOptions {
  state: string;
  session: string;
  json: boolean;
}

export async function sessionAction(method: Action, options: ActionOptions): Promise<number> {
  const { state, session, json } = options;
  const result = await callBridge(state, method, { session }, { timeoutMs: patience[method] });
  if (json) printJson(result);
  else say(sentences[method](session));
  if (!json && 'permission_mode' in result)
    say(`Its permission mode is ${safeLine(modeText(result.permission_mode))}.`);
  return exitCodes.ok;
}
