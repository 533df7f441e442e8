// A program of this room as a child: what it tells, what it prints, and that it is gone.
import { type ChildProcess, fork } from 'node:child_process';

export interface StartProgram<News> {
  /** Path of it. */
  program: string;
  /** Its only argument. */
  order?: string;
  /** Of Node. */
  flags?: readonly string[];
  env?: NodeJS.ProcessEnv;
  heard: (news: News) => void;
  /** It has ended, or could not be started; may be called twice. */
  gone: (child: ChildProcess) => void;
  /** What it writes to its standard error. */
  printed: (text: string) => void;
}

export function startProgram<News>(options: StartProgram<News>): ChildProcess {
  const { program, order, flags = [], env = process.env, heard, gone, printed } = options;
  const child = fork(program, order === undefined ? [] : [order], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [...flags],
    env,
  });
  child.on('message', (news: News) => heard(news));
  child.on('error', () => gone(child));
  child.on('exit', () => gone(child));
  child.stderr
    ?.setEncoding('utf8')
    .on('data', printed)
    .on('error', () => {});
  return child;
}
