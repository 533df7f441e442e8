import { silentLog } from '../../../../src/base/log.ts';
import { Watch } from '../../../../src/base/waiting/watch.ts';
import type { Starting } from '../../../../src/bridge/claude/process/boxless.ts';
import type { Probed } from '../../../../src/bridge/claude/process/probe-box.ts';
import type { BoxLayout } from '../../../../src/bridge/claude/screen/box-layout.ts';
import type { Dialog } from '../../../../src/bridge/claude/screen/dialogs.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** A Claude Code that has started, with a prompt drawn as `draw` says. */
export class StartScreen implements Starting, Probed {
  readonly clock = new ManualClock();
  readonly watch = new Watch(this.clock);
  readonly log = silentLog;
  readonly limits = { toolsMs: 10_000 };
  sessionStarted = true;
  toolsListed = true;
  exit: undefined;
  stopping: string | undefined;
  dialog: Dialog | undefined;
  lastTyped: string | undefined;
  drawn = 0;
  silentAt: number | undefined;
  asked: Probed['asked'];
  readonly view: { box: string | undefined } = { box: undefined };
  /** What stands in its prompt. */
  text = '';
  /** All that was typed. */
  typed = '';
  layout: BoxLayout | undefined;
  draw = (text: string): string[] => [
    ' Claude Code',
    '',
    ...`› ${text}`.split('\n').map((row, at) => (at === 0 ? row.trimEnd() : `  ${row}`)),
  ];
  /** What it does with keys. */
  onKeys = (keys: string): void => {
    const paste = /\x1b\[200~([^\x1b]*)\x1b\[201~/.exec(keys);
    if (paste) this.text += paste[1];
    else this.text = this.text.slice(0, -(keys.match(/\x7f/g) ?? []).length || undefined);
  };
  readonly terminal = {
    size: { cols: 80, rows: 24 },
    rows: () => this.draw(this.text),
    write: (keys: string): void => {
      this.typed += keys;
      this.onKeys(keys);
      this.redraw();
    },
    resize: (cols: number, rows: number): void => {
      this.terminal.size = { cols, rows };
      this.redraw();
    },
    kill: (): void => {},
  };

  learn(layout: BoxLayout): void {
    this.layout = layout;
  }

  redraw(): void {
    this.drawn += 1;
    this.watch.poke();
  }

  /** Lets time pass until it is over. @returns its result, and how long it took */
  async over<T>(done: Promise<T>): Promise<{ result: T; ms: number }> {
    const before = this.clock.now();
    let ended: number | undefined;
    void done.then(() => {
      ended = this.clock.now();
    });
    for (let each = 0; ended === undefined && each < 1000; each += 1) {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      if (ended === undefined) this.clock.advance(10);
    }
    return { result: await done, ms: (ended ?? this.clock.now()) - before };
  }
}
