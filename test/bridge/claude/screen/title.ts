import type { Terminal } from '../../../../src/bridge/claude/terminal-port.ts';

/** A terminal of which only the title is drawn. */
export class Title implements Terminal {
  readonly pid = 1;
  readonly size = { cols: 80, rows: 24 };
  title = '';
  #changed = () => {};

  draw(title: string): void {
    this.title = title;
    this.#changed();
  }

  rows = () => [];
  snapshot = async () => ({ ...this.size, data: '' });
  write = () => {};
  resize = () => {};
  kill = () => {};
  onData = () => () => {};
  onExit = () => () => {};
  onChange(listener: () => void): () => void {
    this.#changed = listener;
    return () => {};
  }
}
