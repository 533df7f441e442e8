import { silentLog } from '../../../../src/base/log.ts';
import { Watch } from '../../../../src/base/waiting/watch.ts';
import { emptyBox } from '../../../../src/bridge/claude/delivery/empty-box.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { usualKeys } from '../usual-keys.ts';

export const backspace = '\x7f';

/** A prompt box of which the picture comes late: what is drawn is what the bridge sees, whatever the box holds. */
export class LateBox {
  readonly clock = new ManualClock();
  readonly watch = new Watch(this.clock);
  readonly typed: string[] = [];
  readonly exit = undefined;
  readonly keys = usualKeys;
  readonly editorDir = undefined;
  readonly log = silentLog;
  /** No turn runs. */
  idle = true;
  readonly view = { box: '' };
  lastTyped: string | undefined = 'apple pie';
  /** What Claude Code does with a key. */
  onKey = () => {};
  /** What it does when its size changes: it draws. */
  onResize = () => this.draw(this.view.box);
  drawn = 0;
  silentAt: number | undefined;
  readonly terminal = {
    size: { cols: 80, rows: 24 },
    write: (keys: string) => {
      this.typed.push(keys);
      this.onKey();
    },
    resize: (cols: number, rows: number) => {
      this.terminal.size = { cols, rows };
      this.onResize();
    },
    kill: () => {},
  };

  draw(text: string): void {
    this.view.box = text;
    this.drawn += 1;
    this.watch.poke();
  }

  /** @returns whether it was found empty, once the time that was given to the picture is over */
  async empty(beforeMs: number, meanwhile = () => {}): Promise<boolean> {
    const done = emptyBox(this);
    this.clock.advance(beforeMs);
    meanwhile();
    return this.over(done);
  }

  /** What comes of it when all its time is over. */
  async over<T>(done: Promise<T>): Promise<T> {
    for (let each = 0; each < 200; each += 1) {
      await Promise.resolve();
      this.clock.advance(100);
    }
    return done;
  }
}
