import { outliveReaders } from './output/reader-gone.ts';
import { program } from './program.ts';
import { report } from './report.ts';

/** Runs one command. The exit code is set, not forced, so that output is flushed. */
export async function main(argv: readonly string[]): Promise<void> {
  outliveReaders();
  try {
    await program(argv[2]).parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(error, flags(argv).includes('--json'));
  }
}

/** What follows `--` is for somebody else. */
const flags = (argv: readonly string[]): readonly string[] =>
  argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
