import { runShell } from '../tools/shell.ts';

/** Milliseconds that changes are collected before the command runs (documented as about 300). */
const debounceMs = 300;
/** Milliseconds after which a command that hangs is killed. */
const limitMs = 5000;

/** Runs the configured status command with the session's facts on stdin. What it prints is not shown. */
export class StatusLine {
  readonly #command: string | undefined;
  readonly #place: { cwd: string; env: NodeJS.ProcessEnv };
  #timer: NodeJS.Timeout | undefined;

  constructor(command: string | undefined, place: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#command = command;
    this.#place = place;
  }

  update(facts: () => Record<string, unknown>): void {
    const command = this.#command;
    if (command === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const stdin = JSON.stringify(facts());
      runShell(command, { ...this.#place, stdin, signal: AbortSignal.timeout(limitMs) }).catch(() => {});
    }, debounceMs);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
