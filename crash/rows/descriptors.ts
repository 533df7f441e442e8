import { connect, type Socket } from 'node:net';
import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

/** File descriptors that the bridge may have. */
const most = 64;
const connections = 100;

/** Takes as many connections as the bridge gives. */
function hoard(port: number): Socket[] {
  return Array.from({ length: connections }, () => connect(port, '127.0.0.1').on('error', () => {}));
}

export const descriptors: Row = {
  name: 'descriptors',
  does: `the bridge may have ${most} file descriptors, and ${connections} idle connections take what is left of them for a while`,
  holds: 'the bridge goes on, and answers when they are free again',
  async play(scene) {
    const { house, history, random } = scene;
    await house.up({ limits: `ulimit -n ${most}` });
    // Claude Code cannot start meanwhile: it does so before.
    await Promise.all(['one', 'two'].map((session) => scene.talker().say(scene.short(session))));
    const talks = [scene.talk('one'), scene.talk('two')];
    while (scene.goesOn) {
      const hoarded = await atSomeMoment(history, random, () => hoard(house.port));
      scene.struck(`${connections} connections`);
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 400));
      for (const socket of hoarded) socket.destroy();
      if (!house.bridge.over) continue;
      history.claim('the bridge runs', false, house.bridge.said);
      await house.up({ limits: `ulimit -n ${most}` });
    }
    await Promise.all(talks);
  },
};
