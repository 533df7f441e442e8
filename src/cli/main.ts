import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { printJson, say } from './output/out.ts';
import { outliveReaders } from './output/reader-gone.ts';
import { program } from './program.ts';

/** Runs one command. The exit code is set, not forced, so that output is flushed. */
export async function main(argv: readonly string[]): Promise<void> {
  outliveReaders();
  try {
    await program(argv[2]).parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(error, argv.includes('--json'));
  }
}

function report(error: unknown, json: boolean): number {
  if (!(error instanceof CliError)) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`synthesis failed in a way it should not: ${detail}\nPlease report this.\n`);
    return exitCodes.failure;
  }
  const { code, message, suggestion, exit } = error;
  if (json) printJson({ error: { code, message, suggestion } });
  else say(`${message}\n${suggestion}`);
  return exitCodes[exit];
}
