import { resolve } from 'node:path';
import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

/** Longest end of a bridge whose disk failed, milliseconds. */
const endMs = 15_000;

/** That nothing is gone, or how much. */
const told = /^\[\]$|\d+ rows? (?:is|are) gone/;

const preload = resolve(import.meta.dirname, '../preload/failing-sync.ts');

export const syncFails: Row = {
  name: 'sync-fails',
  does: 'one sync of the journal fails (EIO), and what was written since the last good one is gone',
  holds:
    'the bridge says that the disk failed and ends with exit code 1; the next start says how many rows are gone, none of them acknowledged',
  short: 2,
  async play(scene) {
    const { house, history, random } = scene;
    // The end of a trail that lost rows cannot be proven any more, and `audit verify` says so.
    scene.proven = false;
    await house.up({ preload });
    const talks = [scene.talk('one'), scene.talk('two')];
    while (scene.goesOn) {
      const { bridge } = house;
      await atSomeMoment(history, random, () => bridge.child.kill('SIGUSR2'));
      scene.struck('a sync fails');
      const code = await bridge.exit(endMs);
      history.claim('it ends as failed', code === 1 && bridge.last?.failed === true, bridge.said);
      const { announced } = await house.up({ preload });
      const notices = JSON.stringify(announced?.notices);
      history.claim('the next start tells', told.test(notices), notices);
    }
    await Promise.all(talks);
  },
};
