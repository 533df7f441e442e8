import type { Terminal } from '../../../../src/bridge/claude/terminal-port.ts';

/** A terminal of which only the title is drawn. */
export class Title implements Terminal {
  readonly pid = 1;
  size = { cols: 80, rows: 24 };
  title = '';
  #changed = () => {};

  draw(title: string): void {
    this.title = title;
    this.#changed();
  }

  rows = (): string[] => [];
  snapshot = async () => ({ ...this.size, data: '' });
  write: Terminal['write'] = () => {};
  resize: Terminal['resize'] = () => {};
  kill = () => {};
  onData: Terminal['onData'] = () => () => {};
  onExit = () => () => {};
  onChange(listener: () => void): () => void {
    this.#changed = listener;
    return () => {};
  }
}
