// The terminal as this room needs it. `bridge/terminal` fits by shape; only main.ts names both.

export interface TerminalSpec {
  /** Program and arguments; the program is an absolute path. */
  argv: readonly [string, ...string[]];
  /** The whole environment of the child. */
  env: Record<string, string>;
  cwd: string;
  /** The program is bubblewrap, and what it contains is below it. */
  contained?: boolean;
  cols: number;
  rows: number;
}

export interface TerminalExit {
  code: number | undefined;
  signal: number | undefined;
  /** How it ended is not known: the process that held its terminal ended first. */
  lost?: true;
  /** What it left running, and its host has ended: each by its command. */
  left?: readonly string[];
}

export interface Terminal {
  readonly pid: number;
  /** Window title: Claude Code shows its working state there. */
  readonly title: string;
  readonly size: { cols: number; rows: number };
  /** Visible rows; `bright` blanks what is drawn dim, and the cursor. */
  rows(options?: { bright?: boolean }): string[];
  /** Escape sequences that draw the screen elsewhere; what `onData` tells from this call on comes on top of it. */
  snapshot(): Promise<{ cols: number; rows: number; data: string }>;
  /** @param id names these keys: a bridge that comes later is told whether they were typed */
  write(keys: string, id?: string): void;
  resize(cols: number, rows: number): void;
  /** @param all what it started as well, as far as it is in its process group */
  kill(signal: NodeJS.Signals, all?: boolean): void;
  onChange(listener: () => void): () => void;
  onData(listener: (data: string) => void): () => void;
  onExit(listener: (exit: TerminalExit) => void): () => void;
}
