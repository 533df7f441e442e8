import { isAllWritten, outliveReaders, outputTrouble } from './output/standard-streams.ts';
import { program } from './program.ts';
import { report } from './report.ts';

/**
 * Runs the command of this process.
 * @param isQuick ends it where all that was written has left: until Node sees by itself that nothing is left to do takes a
 *   millisecond
 */
export async function run(argv: readonly string[], isQuick: boolean): Promise<void> {
  outliveReaders();
  process.once('exit', () => {
    const trouble = outputTrouble();
    if (trouble) process.exitCode = report(trouble, false);
  });
  await main(argv);
  if (isQuick && isAllWritten()) process.exit();
}

/** Runs one command. The exit code is set, not forced, so that output is flushed. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await program(argv[2]).parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(error, flags(argv).includes('--json'));
  }
}

/** What follows `--` is for somebody else. */
const flags = (argv: readonly string[]): readonly string[] =>
  argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
