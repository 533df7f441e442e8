import type { ExitName } from './exit-codes.ts';

/** An error for the person at the terminal: what happened, and what to do next. */
export class CliError extends Error {
  readonly exit: ExitName;
  /** Stable name for `--json`. */
  readonly code: string;
  readonly suggestion: string;

  constructor(exit: ExitName, code: string, message: string, suggestion: string) {
    super(message);
    this.name = 'CliError';
    this.exit = exit;
    this.code = code;
    this.suggestion = suggestion;
  }
}
