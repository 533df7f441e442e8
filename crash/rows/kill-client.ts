import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

export const killClient: Row = {
  name: 'kill-client',
  does: 'ends the connection of a client that waits or reads; it asks again',
  holds: 'the bridge goes on; the repeat reads the same answer',
  short: 2,
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    const talkers = [scene.talker(), scene.talker()];
    const talks = talkers.map((talker, at) => scene.talk(`chat ${at}`, { talker }));
    while (scene.goesOn) {
      const cut = await atSomeMoment(history, random, () => {
        const at = Math.floor(random() * talkers.length);
        const posted = talkers[at]?.posted;
        posted?.destroy();
        return posted !== undefined;
      });
      if (cut) scene.struck('a connection was cut');
    }
    await Promise.all(talks);
    history.claim('the bridge runs', !house.bridge.over);
  },
};
