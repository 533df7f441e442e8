// The built program begins here: it loads main.ts, in CommonJS, with what V8 compiled of it in a run before.
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { KeptProgram } from '../base/process/kept-code.ts';

/** Started often, and done in a blink: for each of them is kept what it needs, and nothing else has to be loaded. */
const quick = ['--help', 'approvals', 'approve', 'deny', 'inspect', 'ps', 'wait'];

const word = quick.find((each) => each === process.argv[2]) ?? 'any';
const kept = new KeptProgram(getCompileCacheDir(), `${word}.kept`);
/** All that main.ts exports to the chunks of slower commands: see rolldown.config.ts. */
export const program = kept.load(join(import.meta.dirname, 'main.cjs'));
const main = program as typeof import('./main.ts');
export const run = (argv: readonly string[]): Promise<void> => main.run(argv, word !== 'any');
kept.keepLater();
