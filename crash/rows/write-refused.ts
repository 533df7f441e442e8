import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../row.ts';

/** Longest play with one limit, milliseconds. */
const roundMs = 6_000;
/** Bytes of one unit of `ulimit -f` in sh. */
const unit = 512;

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export const writeRefused: Row = {
  name: 'write-refused',
  does: 'no file of the bridge may grow over a limit (`ulimit -f`): a write is refused in the middle (EFBIG), mostly one of the journal, and the bridge gives up',
  holds: 'it starts again at once',
  async play(scene) {
    const { house, random } = scene;
    await house.up();
    const talks = [scene.talk('one'), scene.talk('two')];
    while (scene.goesOn) {
      await house.bridge.kill();
      const journal = ['journal.db', 'journal.db-wal'].map((name) => sizeOf(join(house.home.state, name)));
      const limit = Math.ceil((Math.max(...journal) + 10_000 + random() * 100_000) / unit);
      const limited = house.start({ limits: `ulimit -f ${limit}` });
      house.adopt(limited);
      const end = performance.now() + roundMs;
      while (!limited.over && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 20));
      scene.struck(
        `${limited.over ? 'a write was refused' : 'no write was too much'}: ${limit * unit} bytes`,
      );
      await limited.kill();
      await house.up();
      // Something is written before the next limit.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await Promise.all(talks);
  },
};
