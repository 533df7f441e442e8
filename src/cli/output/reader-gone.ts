// `synthesis … | head -1`: whoever read the output has left. That is no failure of the command.

/** EPIPE: the pipe has no reader. EIO: the terminal was closed. */
const isGone = (error: NodeJS.ErrnoException): boolean => error.code === 'EPIPE' || error.code === 'EIO';

/**
 * From now on a command whose reader has left goes on to its end without a word, and ends with its own exit code: an
 * error without a listener would end the process in the middle of its work. Called once, for all commands.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!isGone(error)) throw error;
    });
  }
}

/** For commands that only write: there is nothing left to do without a reader. */
export function onReaderGone(act: () => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isGone(error)) act();
  });
}
