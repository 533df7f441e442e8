// Gives a session a name of the operator's own.
import { CliError } from '../../cli-error.ts';
import { callBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';

export interface RenameOptions {
  state: string;
  session: string;
  name: string | undefined;
  clear: boolean;
  json: boolean;
}

export async function rename({ state, session, name, clear, json }: RenameOptions): Promise<number> {
  if (clear === (name !== undefined))
    throw new CliError(
      'usage',
      'no_name',
      clear ? 'A name and --clear do not go together.' : 'What is it to be called?',
      'Nothing was changed. Give it a name, or take its name away with --clear.',
    );
  const params = { session, label: name ?? null };
  const result = await callBridge(state, 'session.rename', params, { timeoutMs: 10_000 });
  if (json) printJson(result);
  else {
    const now = result.label === null ? 'has no name any more' : `is called ${result.label} now`;
    say(`${safeLine(result.session)} ${safeLine(now)}.`);
  }
  return exitCodes.ok;
}
