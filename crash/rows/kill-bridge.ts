import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

export const killBridge: Row = {
  name: 'kill-bridge',
  does: 'SIGKILL to the bridge while two chats talk and answer questions, at any time or right at what a client just read',
  holds:
    'it starts again at once, and goes on with the Claude Codes that are there; all that they do is heard, once',
  short: 2,
  async play(scene) {
    const { house, history, random } = scene;
    scene.outlived = true;
    await house.up();
    const talks = [scene.talk('one'), scene.talk('two')];
    while (scene.goesOn) {
      await atSomeMoment(history, random, () => house.bridge.kill());
      scene.struck('kill -9 bridge');
      await house.up();
    }
    await Promise.all(talks);
  },
};
