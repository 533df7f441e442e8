export interface Size {
  cols: number;
  rows: number;
}

/** The far side of the terminal's port: a screen that is a text. */
export class PlayedTerminal {
  size: Size = { cols: 120, rows: 40 };
  screen = 'picture';
  readonly typed: string[] = [];
  readonly viewers = new Set<{ output(data: string): void; ended(): void }>();

  join = (_key: string, output: (data: string) => void, ended: () => void) => {
    const viewer = { output, ended };
    this.viewers.add(viewer);
    const terminal = this;
    return {
      get size() {
        return terminal.size;
      },
      snapshot: async () => ({ ...this.size, data: this.screen }),
      write: (keys: string) => void this.typed.push(keys),
      resize: (cols: number, rows: number) => {
        this.size = { cols, rows };
      },
      detach: () => void this.viewers.delete(viewer),
    };
  };

  draw(data: string): void {
    this.screen += data;
    for (const viewer of this.viewers) viewer.output(data);
  }
}
