// The user's own npm, with his own configuration, for a folder with a lockfile.
import { stripVTControlCharacters } from 'node:util';
import { execa } from 'execa';
import type { ExtraName } from './extra.ts';
import { diskFull, ExtraError } from './extra-error.ts';

export interface Running {
  /** Ends what is under way. */
  signal?: AbortSignal;
  /** Gets what npm says, line by line. */
  printed: (line: string) => void;
}

/**
 * Optional ones are the builds for each platform. Nothing of these packages needs its scripts, and what does not run
 * needs no trust.
 */
const installation = [
  'ci',
  '--omit=dev',
  '--include=optional',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
];

/** What is looked at of what npm says, lines. */
const keptLines = 100;
/** Longest complaint that is repeated, characters. */
const longestWords = 600;
/** Milliseconds: measured 1.1 s for the slower one. */
const loadMs = 60_000;

/** What npm only warns of: it leaves such files cut off, and ends well. */
const lostFile = /\b(?:ENOSPC|EDQUOT|TAR_ENTRY_ERROR)\b/;

/** @throws ExtraError */
export async function npmInstall(name: ExtraName, folder: string, running: Running): Promise<void> {
  let lost: string | undefined;
  const printed = (line: string): void => {
    if (lostFile.test(line)) lost ??= line;
    running.printed(line);
  };
  const { exitCode, code, isCanceled, lines } = await run('npm', installation, folder, {
    ...running,
    printed,
  });
  if (isCanceled) throw cancelled(name);
  if (code === 'ENOENT' || code === 'EACCES')
    throw new ExtraError(
      'npm_missing',
      `"${name}" was not installed: npm was not found.`,
      'Install npm, which comes with Node, or put it on PATH. Then try again.',
    );
  if (lost !== undefined && /ENOSPC|EDQUOT/.test(lost)) throw diskFull(name);
  if (exitCode === 0 && lost === undefined) return;
  throw new ExtraError(
    'npm_failed',
    `npm did not install "${name}": ${wordsOf(exitCode === 0 && lost ? [lost] : lines) || 'it did not say why'}.`,
    'Look whether npm reaches its registry (`npm ping`), then try again.',
  );
}

/**
 * In a process of its own. npm leaves out the build for a platform that has none, and says nothing.
 *
 * @throws ExtraError
 */
export async function loadPackages(
  name: ExtraName,
  folder: string,
  packages: readonly string[],
  { signal }: Running,
): Promise<void> {
  const load = 'for (const name of process.argv.slice(1)) await import(name);';
  const args = ['--input-type=module', '--eval', load, ...packages];
  const { exitCode, isCanceled, lines } = await run(process.execPath, args, folder, {
    signal,
    printed: () => {},
  });
  if (isCanceled) throw cancelled(name);
  if (exitCode === 0) return;
  const why = lines.find((line) => /^\w*Error\b/.test(line))?.replaceAll(folder, '') ?? 'it ended at once';
  throw new ExtraError(
    'cannot_load',
    `"${name}" was not kept: it cannot be loaded on this machine (${bounded(why)}).`,
    'There may be no build of it for this machine; go on without it.',
  );
}

interface Ran {
  exitCode: number | undefined;
  /** Of the system, when it could not be started. */
  code: string | undefined;
  isCanceled: boolean;
  /** The last ones. */
  lines: string[];
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  { signal, printed }: Running,
): Promise<Ran> {
  const lines: string[] = [];
  const child = execa(program, args, {
    cwd,
    stdin: 'ignore',
    all: true,
    buffer: false,
    reject: false,
    forceKillAfterDelay: 5_000,
    ...(program === process.execPath && { timeout: loadMs }),
    ...(signal && { cancelSignal: signal }),
  });
  for await (const each of child.iterable({ from: 'all' })) {
    const line = shown(each);
    printed(line);
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
  }
  const { exitCode, code, isCanceled } = await child;
  return { exitCode, code, isCanceled, lines };
}

/** Without colours, and without a password in an address. */
const shown = (line: string): string =>
  stripVTControlCharacters(line)
    .replace(/(?<=:\/\/)[^\s/@]+@/g, '***@')
    .replace(/(_(?:auth|authToken|password)\s{0,9}=\s{0,9})\S+/gi, '$1***');

/** npm's complaint; where it has none, the last things that it said. */
function wordsOf(lines: readonly string[]): string {
  const errors = lines.filter((line) => /^npm (?:error|ERR!)/.test(line));
  const said = (errors.length > 0 ? errors.slice(0, 8) : lines.slice(-5))
    .map((line) => line.replace(/^npm (?:error|ERR!)/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('A complete log of this run'));
  return bounded(said.join('; '));
}

const bounded = (words: string): string => words.slice(0, longestWords).trim().replace(/\.$/, '');

const cancelled = (name: ExtraName): ExtraError =>
  new ExtraError('cancelled', `The installation of "${name}" was stopped.`, 'Start it again when you like.');
