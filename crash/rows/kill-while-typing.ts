import { strikeAt } from '../play/strike-at.ts';
import type { Row } from '../row.ts';

const session = 'one';
/** A hand-over is done by then, milliseconds. */
const longestMs = 150;

export const killWhileTyping: Row = {
  name: 'kill-while-typing',
  does: 'SIGKILL to the bridge while it hands a message over, at evenly spread moments of the 150 ms in which it does',
  holds: 'Claude is given the message once, or its sender reads words; all that Claude does is heard, once',
  short: 3,
  async play(scene) {
    const { house } = scene;
    scene.outlived = true;
    await house.up();
    const talker = scene.talker();
    await talker.say(scene.short(session));
    while (scene.goesOn) {
      const ms = (longestMs * scene.struckSoFar) / scene.kills;
      const message = scene.short(session);
      await strikeAt(scene, talker, {
        what: `${Math.round(ms)} ms`,
        message,
        event: 'turn.delivering',
        ms,
      });
    }
  },
};
