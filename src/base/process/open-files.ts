import { readFileSync } from 'node:fs';

/** Where no limit can be read: half of what macOS gives a program at most. */
const usual = 5_120;

/** Returns how many files and sockets this process may have open; Node has raised that to the hard limit as it started. */
export function mostOpenFiles(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? usual : Number(soft);
  } catch {
    return usual;
  }
}
