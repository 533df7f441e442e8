import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

/** Takes all that is left of the disk, to the last page. @returns gives it back */
function fill(stateDir: string): () => void {
  const path = join(stateDir, 'ballast');
  const file = openSync(path, 'w');
  try {
    for (let size = 1 << 20; size >= 512; ) {
      try {
        if (writeSync(file, Buffer.alloc(size)) < size) size /= 2;
      } catch {
        size /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
  return () => rmSync(path, { force: true });
}

export const fullDisk: Row = {
  name: 'full-disk',
  does: 'the state folder lies on a small disk of its own, which is full for a while, again and again; verdicts come by the operator’s socket',
  holds: 'nothing is acknowledged that is not kept; all goes on when there is room, without a restart',
  async play(scene) {
    const { house, history, random } = scene;
    await house.up({ disk: '8m' });
    const talks = ['one', 'two'].map((session) => scene.talk(session, { door: 'socket' }));
    while (scene.goesOn && !house.bridge.over) {
      const free = await atSomeMoment(history, random, () => fill(house.state));
      scene.struck('the disk is full');
      await new Promise((resolve) => setTimeout(resolve, 200 + random() * 1_500));
      free();
      await new Promise((resolve) => setTimeout(resolve, 1_200 + random() * 800));
    }
    history.claim('the bridge goes on', !house.bridge.over, house.bridge.said);
    await Promise.all(talks);
  },
};
