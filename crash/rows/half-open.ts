import { HalfOpen } from '../play/half-open.ts';
import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

/** How long a client believes in a silent connection, milliseconds. */
const beliefMs = 150;

export const halfOpen: Row = {
  name: 'half-open',
  does: 'all open connections die without an end for either side; the clients give up and ask again, the bridge never hears of it',
  holds: 'the bridge goes on; the repeat reads the same answer',
  short: 2,
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    await using network = await HalfOpen.to(house.port);
    const talkers = [scene.talker(network.url), scene.talker(network.url)];
    const talks = talkers.map((talker, at) => scene.talk(`chat ${at}`, { talker }));
    while (scene.goesOn) {
      const frozen = await atSomeMoment(history, random, () => {
        const waiting = talkers.flatMap(({ posted }) => posted ?? []);
        const open = network.freeze(random() < 0.5);
        setTimeout(() => {
          for (const posted of waiting) posted.destroy();
        }, beliefMs);
        return open;
      });
      if (frozen > 0) scene.struck(`${frozen} connections went silent`);
    }
    await Promise.all(talks);
    history.claim('the bridge runs', !house.bridge.over);
  },
};
