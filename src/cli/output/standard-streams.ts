// Standard output and standard error. As streams they make Node load its sockets, a tenth of what `--help` takes: the first
// few lines into a pipe or a file are written without, until a command asks for the stream itself.
import { fstatSync, writeSync } from 'node:fs';
import { CliError } from '../cli-error.ts';

type Name = 'stdout' | 'stderr';
const fds = { stdout: 1, stderr: 2 } as const;

/** EPIPE: the pipe has no reader. EIO: the terminal was closed. */
const isGone = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'EIO';

/** Bytes that any pipe takes whose reader does not read. Beyond them nobody may have to wait for it but the stream. */
const directBytes = 16_384;

interface Output {
  /** Those that nobody has needed as a stream so far, and what may still be written without. */
  unopened: Map<Name, number>;
  /** Why some of it was not taken, for want of room above all; undefined when all of it was, or nobody is there to read. */
  refusal?: NodeJS.ErrnoException;
}

/** There is one in a process: what it loads as a program of its own, as `up` is, has a copy of this file. */
const shared: { [key: symbol]: Output | undefined } = globalThis;
const place = Symbol.for('synthesis.output');
const output: Output = shared[place] ?? { unopened: new Map() };
shared[place] = output;
const { unopened } = output;

const refused = (error: NodeJS.ErrnoException): void => {
  if (!isGone(error)) output.refusal ??= error;
};

/**
 * From now on a command whose output is not taken goes on to its end: an error without a listener would end the process in
 * the middle of its work, a bridge among them. Where the reader has left (`synthesis … | head -1`) it does so without a
 * word, and with its own exit code. Called once, for all commands.
 */
export function outliveReaders(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const { get } = Object.getOwnPropertyDescriptor(process, name) ?? {};
    if (!get) continue;
    unopened.set(name, directBytes);
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => open(name, get),
    });
  }
}

function open(name: Name, get: () => NodeJS.WriteStream): NodeJS.WriteStream {
  const stream = get.call(process);
  unopened.delete(name);
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get });
  stream.on('error', refused);
  return stream;
}

/** For commands that only write: there is nothing left to do without a reader. */
export function onReaderGone(act: () => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isGone(error)) act();
  });
}

export function write(name: Name, text: string): void {
  let rest = Buffer.from(text);
  const left = (unopened.get(name) ?? 0) - rest.length;
  if (left < 0 || !isPlain(name)) return void process[name].write(text);
  unopened.set(name, left);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fds[name], rest));
  } catch (error) {
    const fault = error as NodeJS.ErrnoException;
    // Whoever gave us the pipe wants nobody to wait for it, and it is full: the stream keeps what does not fit.
    if (fault.code === 'EAGAIN') process[name].write(rest);
    else refused(fault);
  }
}

/** What to say of it at the end. */
export const outputTrouble = (): CliError | undefined =>
  output.refusal &&
  new CliError(
    'failure',
    'output_refused',
    `Not all of the output was taken (${output.refusal.message}).`,
    'What was asked for was done as far as it could be. Make room where the output goes, or send it elsewhere.',
  );

/** Nothing that was written is on its way any more. */
export const isAllWritten = (): boolean => unopened.size === 2;

/** Cells of the terminal; undefined where none is. 0 is said by one that does not know. */
export const columnsOf = (name: Name): number | undefined =>
  isPlain(name) ? undefined : process[name].columns;

/** No terminal, and not in use as a stream. */
const isPlain = (name: Name): boolean => unopened.has(name) && !fstatSync(fds[name]).isCharacterDevice();
