import type { Terminal } from '../../../../src/bridge/claude/terminal-port.ts';

/** A terminal of which only the title is drawn. */
export class Title implements Terminal {
  readonly pid = 1;
  size = { cols: 80, rows: 24 };
  title = '';
  #changed = () => {};
  readonly #data: ((data: string) => void)[] = [];

  draw(title: string): void {
    this.title = title;
    for (const listener of this.#data) listener(title);
    this.#changed();
  }

  rows = (): string[] => [];
  snapshot = async () => ({ ...this.size, data: '' });
  write: Terminal['write'] = () => {};
  resize: Terminal['resize'] = () => {};
  kill: Terminal['kill'] = () => {};
  onData: Terminal['onData'] = (listener) => {
    this.#data.push(listener);
    return () => {};
  };
  onExit: Terminal['onExit'] = () => () => {};
  onChange(listener: () => void): () => void {
    this.#changed = listener;
    return () => {};
  }
}
