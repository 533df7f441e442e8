// The lines of an invented history and the truth about it, which its inventor knows.
import type { Line, RawHook } from './line.ts';

export interface InventedTurn {
  /** Several when several notifications began it; hooks name the last. */
  prompts: string[];
  /** `queue`: Claude Code took typed text from its own queue and announced no prompt. */
  by: 'typed' | 'notification' | 'queue';
  outcome: 'completed' | 'failed' | 'interrupted' | 'exited' | 'running';
  texts: string[];
  /** Tasks whose end it was told, in order. */
  told: string[];
}

export interface InventedQuestion {
  /** The number of the hook that asks. */
  n: number;
  /** Missing when the main thread asks. */
  agent?: string;
  use: string;
  /** What was decided. Esc may follow before a hook proves it. */
  outcome:
    | 'open'
    | 'allowed'
    | 'denied'
    | 'allowed in the terminal'
    | 'refused in the terminal'
    | 'closed with the process';
}

export interface History {
  lines: Line[];
  turns: InventedTurn[];
  questions: InventedQuestion[];
  /** How each agent ended, by its id. */
  agents: Map<string, 'working' | 'completed' | 'failed' | 'exited'>;
  /** Otherwise it goes on until nothing runs and every task was told. */
  wasKilled: boolean;
}

/** Writes lines: counts time, hooks and ids. */
export class HistoryWriter {
  readonly lines: Line[] = [];
  /** Milliseconds between a line and the next. */
  gap = 10;
  /** The prompt that the main thread had last; hooks of agents name it, too. */
  prompt: string | undefined;
  #t = 0;
  #n = 0;
  readonly #ids = new Map<string, number>();

  get now(): number {
    return this.#t;
  }

  /** When the next line is written. */
  get next(): number {
    return this.#t + this.gap;
  }

  id(letter: string): string {
    const count = (this.#ids.get(letter) ?? 0) + 1;
    this.#ids.set(letter, count);
    return `${letter}${count}`;
  }

  /** @returns the number of the hook */
  hook(name: string, fields: Omit<RawHook, 'hook_event_name' | 'session_id'>): number {
    this.#n += 1;
    const hook: RawHook = {
      session_id: 's1',
      ...(this.prompt !== undefined && { prompt_id: this.prompt }),
      hook_event_name: name,
      ...fields,
    };
    this.lines.push({ t: this.#later(), k: 'hook', n: this.#n, hook });
    return this.#n;
  }

  /** One message of the main thread, in batches. The last is empty, as Claude Code's are. */
  message(batches: readonly string[]): void {
    const message_id = this.id('m');
    [...batches, ''].forEach((delta, index) => {
      this.hook('MessageDisplay', { message_id, index, delta, final: index === batches.length });
    });
  }

  answer(n: number, event: string, answer: unknown): void {
    this.lines.push({ t: this.#later(), k: 'hook-answer', n, event, answer });
  }

  abort(n: number): void {
    this.lines.push({ t: this.#later(), k: 'hook-aborted', n, event: 'PermissionRequest' });
  }

  typed(text: string): void {
    this.lines.push({ t: this.#later(), k: 'typed', text });
  }

  key(key: string): void {
    this.lines.push({ t: this.#later(), k: 'key', key });
  }

  transcript(says: 'turn_duration' | 'interrupted'): void {
    this.lines.push({ t: this.#later(), k: 'transcript', says });
  }

  transcriptText(text: string): void {
    this.lines.push({ t: this.#later(), k: 'transcript', says: 'text', text });
  }

  process(
    line: { k: 'start' } | { k: 'kill'; signal: string } | { k: 'exit'; code: number } | { k: 'end' },
  ): void {
    this.lines.push({ t: this.#later(), ...line });
  }

  #later(): number {
    this.#t += this.gap;
    return this.#t;
  }
}

export const notification = (task: string, use: string | undefined, status: string): string =>
  [
    '<task-notification>',
    `<task-id>${task}</task-id>`,
    ...(use === undefined ? [] : [`<tool-use-id>${use}</tool-use-id>`]),
    `<status>${status}</status>`,
    '</task-notification>',
  ].join('\n');
