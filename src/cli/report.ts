import { UnsafePathError } from '../base/files/own-path.ts';
import { CliError } from './cli-error.ts';
import { type ExitName, exitCodes } from './exit-codes.ts';
import { fileTrouble } from './file-trouble.ts';
import { printJson, say } from './output/out.ts';

/** Says what a command threw. @returns its exit code */
export function report(thrown: unknown, json: boolean): number {
  const error = thrown instanceof UnsafePathError ? refusal(thrown) : (fileTrouble(thrown) ?? thrown);
  if (!(error instanceof CliError)) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    say(`synthesis failed in a way it should not: ${detail}\nPlease report this.`);
    return exitCodes.failure;
  }
  const { code, message, suggestion, exit } = error;
  if (json) printJson({ error: { code, message, recoverable: recoverable.has(exit), suggestion } });
  else say(`${message}\n${suggestion}`);
  return exitCodes[exit];
}

/** The same command, or the corrected one, may work later: said as in the envelope of tools. */
const recoverable: ReadonlySet<ExitName> = new Set(['usage', 'timeout', 'not_found', 'not_running']);

/** Whichever command met it: nothing was used that somebody else may have made. */
const refusal = ({ code, message, suggestion }: UnsafePathError): CliError =>
  new CliError('denied', code, message, suggestion);
