// stop, interrupt, restart: one call for each session, one sentence.
import type { ControlMethod, ControlMethods, SessionDetail } from '../../../domain/views/control.ts';
import { modeText } from '../../../domain/views/words/mode-words.ts';
import { CliError } from '../../cli-error.ts';
import { eachSession, isWhole } from '../../client/each-session.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { endedAgents, stateWords } from '../../sessions/words.ts';

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
  sessions: readonly string[];
  /** Asks nothing. */
  yes: boolean;
  json: boolean;
}

export function sessionAction(
  method: Action,
  { state, sessions, yes, json }: ActionOptions,
): Promise<number> {
  const isSure = yes || json || method === 'session.interrupt';
  return eachSession(state, sessions, {
    ...(!isSure && { allow: (ref: string, found: SessionDetail) => askWhichIsMeant(ref, found, method) }),
    act: async (bridge, session) => {
      const result = await bridge.call(method, { session }, { timeoutMs: patience[method] });
      if (json) printJson(result);
      else say(`${sentences[method](safeLine(session))}${ended(result)}`);
      if (!json && 'permission_mode' in result)
        say(`Its permission mode is ${safeLine(modeText(result.permission_mode))}.`);
    },
  });
}

function ended(result: ControlMethods[Action]['result']): string {
  if ('stopping' in result) return endedAgents(result.agents, 'ends');
  return 'restarted' in result ? endedAgents(result.agents) : '';
}

/** A letter too few may name a conversation that nobody thought of. @throws CliError `cancelled` */
async function askWhichIsMeant(ref: string, found: SessionDetail, method: Action): Promise<void> {
  if (isWhole(ref, found)) return;
  const { canAsk, Questions } = await import('../../questions.ts');
  if (!canAsk()) return;
  const { key, queued } = found;
  const waits = queued === 0 ? '' : `, ${queued === 1 ? '1 message waits' : `${queued} messages wait`}`;
  const nothing = 'Nothing was done. Name the session whole, or give --yes.';
  using questions = new Questions(nothing);
  const what = method === 'session.stop' ? 'End its Claude Code' : 'End its Claude Code and start it again';
  say(`"${safeLine(ref)}" is the beginning of ${safeLine(key)} (${stateWords(found)}${waits}).`);
  if (!(await questions.yesNo(what, false))) throw new CliError('failure', 'cancelled', 'Left.', nothing);
}
