// A program of the operator's own, named in the configuration: no shell, a deadline, and words when it fails.
import { execFile } from 'node:child_process';

export interface ProgramRun {
  /** Program and arguments. */
  command: readonly string[];
  /** What it reads; nothing when left out. */
  stdin?: string;
  /** Milliseconds until it is killed. */
  timeoutMs: number;
  /** Its environment; that of this process when left out. */
  env?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
}

export type ProgramResult = { ok: true; stdout: string } | { ok: false; words: string };

const longestOutput = 64 * 1024;

/** Never rejects. What it printed to stderr stays out of the words: a program that handles secrets may print one. */
export function runProgram({
  command,
  stdin = '',
  timeoutMs,
  env,
  signal,
}: ProgramRun): Promise<ProgramResult> {
  const [file = '', ...args] = command;
  return new Promise((resolve) => {
    const options = {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: longestOutput,
      env,
      signal,
    } as const;
    const child = execFile(file, args, options, (error, stdout) =>
      resolve(error ? { ok: false, words: failure(file, error, timeoutMs) } : { ok: true, stdout }),
    );
    // A program that does not read, or is not there, is told by the callback.
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
  });
}

function failure(
  file: string,
  error: Error & { code?: unknown; killed?: boolean },
  timeoutMs: number,
): string {
  if (error.code === 'ENOENT') return `${file} was not found`;
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `${file} printed too much`;
  if (error.code === 'ABORT_ERR') return `${file} was stopped`;
  if (error.killed) return `${file} did not end within ${timeoutMs / 1000} s`;
  if (typeof error.code === 'number') return `${file} ended with exit code ${error.code}`;
  return `${file} could not be run (${typeof error.code === 'string' ? error.code : 'killed'})`;
}
