import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rowsOnDisk } from '../history/evidence.ts';
import { atSomeMoment } from '../play/moment.ts';
import type { Scene } from '../play/scene.ts';
import type { Row } from '../row.ts';

const hourMs = 3_600_000;
/** Farthest from the right time, hours. */
const most = 12;

const preload = resolve(import.meta.dirname, '../preload/wall-clock.ts');

/** The clock of the bridge's machine. */
class WallClock {
  readonly #scene: Scene;
  readonly #file: string;
  #hours = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#file = join(scene.house.home.path, 'clock');
    writeFileSync(this.#file, '0');
  }

  async start(): Promise<number> {
    const { house } = this.#scene;
    await house.up({ preload, env: { CRASH_CLOCK: this.#file } });
    return Date.now();
  }

  /** @returns by how many hours */
  jump(): number {
    const before = this.#hours;
    while (this.#hours === before) this.#hours = Math.floor(this.#scene.random() * (2 * most + 1)) - most;
    writeFileSync(this.#file, String(this.#hours * hourMs));
    return this.#hours - before;
  }
}

/** Between a start and a kill. @param from when it had started, epoch ms */
function nothingExpired({ house, history, startedAt }: Scene, from: number): void {
  const expired = rowsOnDisk(house.home.state, startedAt)
    .filter(({ at, event }) => at >= from && event.outcome === 'expired')
    .map(({ seq, event }) => `row ${seq} is ${event.type}`);
  history.claim('nothing expired', expired.length === 0, expired.join(', '));
}

export const clockJump: Row = {
  name: 'clock-jump',
  does: `the wall clock of the bridge jumps by hours, up to ${most} from the right time, while two chats talk; every fourth time the bridge is killed and starts with another time`,
  holds: 'nothing expires before its time; the bridge goes on',
  short: 2,
  async play(scene) {
    const { house, history, random } = scene;
    scene.clockIsSet = true;
    const clock = new WallClock(scene);
    let from = await clock.start();
    const talks = [scene.talk('one'), scene.talk('two')];
    while (scene.goesOn) {
      const restarts = scene.struckSoFar % 4 === 3;
      const hours = await atSomeMoment(history, random, () => {
        const by = clock.jump();
        house.bridge.child.kill(restarts ? 'SIGKILL' : 'SIGUSR2');
        return by;
      });
      scene.struck(`the clock went by ${hours} hours`);
      if (!restarts) continue;
      await house.bridge.exit(1_000);
      nothingExpired(scene, from);
      from = await clock.start();
    }
    await Promise.all(talks);
    history.claim('the bridge runs', !house.bridge.over);
    await house.down();
    nothingExpired(scene, from);
    await clock.start();
  },
};
