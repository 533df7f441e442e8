// `up --detach`: the same `up` as a process of its own, waited for until it is ready or has said why it is not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, ftruncateSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { claimDirectory } from '../../../base/files/own-path.ts';
import { openPrivate } from '../../../base/files/private-file.ts';
import { CliError } from '../../cli-error.ts';
import { type ExitName, exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { firstWords } from './up-first-words.ts';
import { flagsOf } from './up-flags.ts';
import type { UpOptions } from './up-options.ts';

/** A bridge is ready in well under a second; a long journal on a slow disk takes longer. Milliseconds. */
const patience = 60_000;
/** From its last words to its end, milliseconds. */
const goodbye = 5_000;

interface ReadyLine {
  event: 'ready';
  url: string;
  pid: number;
  token_file: string;
  notices: string[];
}

const firstWord = /^\{"(?:event":"ready|error)"/;

interface ErrorLine {
  error: { code: string; message: string; suggestion: string };
}

export async function upDetached(options: UpOptions, isContained: boolean): Promise<number> {
  const { state, json } = options;
  claimDirectory(state);
  const output = join(state, 'up.log');
  const first = json ? [] : firstWords(state, isContained);
  const child = startChild(options, output);
  const line = await firstLine(output, child);
  if ('error' in line) {
    const { code, message, suggestion } = line.error;
    // It says why before it ends.
    if (child.exitCode === null)
      await once(child, 'exit', { signal: AbortSignal.timeout(goodbye) }).catch(() => {});
    throw new CliError(exitNameOf(child.exitCode), code, message, suggestion);
  }
  child.unref();
  if (json) printJson({ ...line, log: join(state, 'bridge.log') });
  else {
    say(
      `The bridge runs in the background (pid ${line.pid}) at ${line.url}/v1, token in ${line.token_file}.`,
    );
    for (const words of [...line.notices, ...first]) say(safeLine(words));
    say(
      `Its log is ${join(state, 'bridge.log')}; what happens: synthesis logs -f; to stop it: synthesis down.`,
    );
  }
  return exitCodes.ok;
}

function startChild(options: UpOptions, output: string) {
  const { state, replace } = options;
  const given = [...Object.entries(flagsOf(options)).flat(), ...(replace ? ['--replace'] : [])];
  // Emptied: what is said of a start has to be of this one.
  const file = openPrivate(output, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
  ftruncateSync(file);
  const program = process.argv[1] ?? '';
  const child = spawn(
    process.execPath,
    [...process.execArgv, program, 'up', '--json', '--quiet', '--state-dir', state, ...given],
    { detached: true, stdio: ['ignore', file, file] },
  );
  closeSync(file);
  return child;
}

async function firstLine(output: string, child: ReturnType<typeof spawn>): Promise<ReadyLine | ErrorLine> {
  const end = performance.now() + patience;
  for (;;) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    const text = readFileSync(output, 'utf8');
    // A bridge that is replaced has its last word there, too.
    const line = text
      .split('\n')
      .slice(0, -1)
      .find((each) => firstWord.test(each));
    if (line !== undefined) return JSON.parse(line) as ReadyLine | ErrorLine;
    if (ended) throw failed(text);
    if (performance.now() > end) {
      child.kill();
      throw new CliError(
        'timeout',
        'timeout',
        `The bridge was not ready within ${patience / 1000} s.`,
        `It was stopped. Look at ${output}, or run \`synthesis up\` to see what it does.`,
      );
    }
    await delay(20);
  }
}

const failed = (text: string) =>
  new CliError(
    'failure',
    'start_failed',
    `The bridge ended at its start: ${text.trim() || 'it said nothing'}`,
    'Run `synthesis up` without --detach to see what it does.',
  );

const exitNameOf = (code: number | null): ExitName =>
  (Object.entries(exitCodes).find(([, value]) => value === code && value !== 0)?.[0] as ExitName) ??
  'failure';
