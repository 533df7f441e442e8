// Runs the operator's own program for one notice: no shell, what happened in its environment, a deadline.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Notice } from '../../domain/words/notice.ts';

export interface NoticeRun {
  /** Program and arguments. */
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds until it is killed, with what it has started. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** @returns what went wrong, in words; undefined when it ended well. Never rejects. */
export async function runNotice(notice: Notice, run: NoticeRun): Promise<string | undefined> {
  const { command, env, timeoutMs, signal } = run;
  const [file = '', ...args] = command;
  // A group of its own: a script that is killed takes along what it waits for. What it prints is nobody's.
  const detached = process.platform !== 'win32';
  const options: SpawnOptions = { env: { ...env, ...wordsOf(notice) }, stdio: 'ignore', detached };
  let late = false;
  try {
    const child = spawn(file, args, options);
    const kill = () => killGroup(child, detached);
    const timer = setTimeout(() => {
      late = true;
      kill();
    }, timeoutMs);
    signal.addEventListener('abort', kill);
    try {
      // Not `close`: what it leaves behind in the background may have its streams for ever.
      const [code, by] = (await once(child, 'exit')) as [number | null, string | null];
      if (late) return `${file} did not end within ${timeoutMs / 1000} s`;
      if (code === 0) return undefined;
      return code === null ? `${file} was ended by ${by}` : `${file} ended with exit code ${code}`;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    }
  } catch (error) {
    const { code } = error as { code?: unknown };
    return code === 'ENOENT' ? `${file} was not found` : `${file} could not be run (${code})`;
  }
}

function killGroup(child: ChildProcess, detached: boolean): void {
  try {
    if (detached && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It is gone already.
  }
}

const wordsOf = ({ event, session, code = '', title, text }: Notice) => ({
  SYNTHESIS_EVENT: event,
  SYNTHESIS_SESSION: session,
  SYNTHESIS_CODE: code,
  SYNTHESIS_TITLE: title,
  SYNTHESIS_TEXT: text,
});
