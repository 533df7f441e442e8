// Who may let work go on where no bridge is there to judge it.
import { CliError } from './cli-error.ts';

/** Somebody sits there, reads what is asked and can answer. */
export const isAtTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * Returns when a person at a terminal runs this command, as a bridge would judge it.
 * @throws CliError for everybody else
 */
export async function mayLift(state: string): Promise<void> {
  const { whoRuns } = await import('../bridge/who-runs.ts');
  const { kind, why, from } = whoRuns(state);
  // Where the system tells nothing of it, the terminal has to do.
  const isPerson = kind === 'operator' || kind === 'unknown';
  if (isPerson && isAtTerminal()) return;
  const who =
    kind === 'claude'
      ? `something that Claude Code has started calls here (${from}): ${why}`
      : `no person is at this command (${from})`;
  throw new CliError(
    'failure',
    'not_allowed',
    `Only a person at a terminal lifts a panic, and ${who}. Everything is still stopped.`,
    'Run `synthesis resume` in a terminal of your own.',
  );
}
