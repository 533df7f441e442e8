import { CliError } from '../../cli-error.ts';
import { callBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { canAsk, Questions } from '../../questions.ts';

export interface ForgetOptions {
  state: string;
  machine: string;
  yes: boolean;
  json: boolean;
}

/** Where many conversations lived it takes a moment, ms. */
const timeoutMs = 60_000;

const nothing = 'Nothing was changed.';

export async function clusterForget({ state, machine, yes, json }: ForgetOptions): Promise<number> {
  if (!yes && !(await isMeant(machine, json))) {
    say(nothing);
    return exitCodes.ok;
  }
  const forgotten = await callBridge(state, 'cluster.forget', { node: machine }, { timeoutMs });
  if (json) printJson(forgotten);
  else {
    const { node, conversations: count } = forgotten;
    const what =
      count === 1
        ? '1 conversation that lived there begins'
        : `${count} conversations that lived there begin`;
    say(
      safeLine(`${node} is forgotten. ${what} anew with the next message, on the machine that it reaches.`),
    );
  }
  return exitCodes.ok;
}

/** @throws CliError `not_asked` where nobody can be */
async function isMeant(machine: string, json: boolean): Promise<boolean> {
  if (json || !canAsk())
    throw new CliError(
      'usage',
      'not_asked',
      `Whether ${machine} is gone for good was not asked. ${nothing}`,
      'Say --yes: its conversations begin anew elsewhere, and what was said there stays with it.',
    );
  using questions = new Questions(nothing);
  say('Conversations that lived there begin anew elsewhere; what was said there stays with that machine.');
  // Awaited here: the terminal is given back when this function is left.
  return await questions.yesNo(`Is ${safeLine(machine)} gone for good`, false);
}
