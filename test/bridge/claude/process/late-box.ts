import { Watch } from '../../../../src/base/watch.ts';
import { emptyBox } from '../../../../src/bridge/claude/delivery/deliver-typed.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** A prompt box of which the picture comes late: what is drawn is what the bridge sees, whatever the box holds. */
export class LateBox {
  readonly clock = new ManualClock();
  readonly watch = new Watch(this.clock);
  readonly keys: string[] = [];
  readonly exit = undefined;
  /** No turn runs. */
  idle = true;
  readonly view = { box: '' };
  lastTyped: string | undefined = 'apple pie';
  /** What Claude Code does with a key. */
  onKey = () => {};
  readonly terminal = {
    write: (keys: string) => {
      this.keys.push(keys);
      this.onKey();
    },
  };

  draw(text: string): void {
    this.view.box = text;
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
    for (let each = 0; each < 40; each += 1) {
      await Promise.resolve();
      this.clock.advance(100);
    }
    return done;
  }
}
