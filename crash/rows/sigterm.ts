import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

/** Longest orderly end, milliseconds. */
const drainMs = 10_000;

export const sigterm: Row = {
  name: 'sigterm',
  does: 'SIGTERM in the middle of turns; every fourth time a second one follows',
  holds: `it ends within ${drainMs / 1000} s with exit code 0, or at once with 130, and starts again`,
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    const talks = [scene.talk('one'), scene.talk('two')];
    while (scene.goesOn) {
      const bridge = house.bridge;
      await atSomeMoment(history, random, () => bridge.child.kill('SIGTERM'));
      const twice = random() < 0.25;
      if (twice) bridge.child.kill('SIGTERM');
      scene.struck(twice ? 'SIGTERM, twice' : 'SIGTERM');
      const code = await bridge.exit(drainMs);
      history.claim('it ends as it says', code === 0 || (twice && code === 130), `${code}: ${bridge.stderr}`);
      await house.up();
    }
    await Promise.all(talks);
  },
};
