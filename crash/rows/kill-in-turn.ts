import { type Point, strikeAt } from '../play/strike-at.ts';
import type { Row } from '../row.ts';

const session = 'one';

export const killInTurn: Row = {
  name: 'kill-in-turn',
  does: 'SIGKILL to the bridge while Claude streams, runs a tool, waits for an answer, is handed a message, or rests, in this order again and again; another chat talks meanwhile',
  holds: 'what goes on goes on: all that Claude does is heard, once',
  short: 5,
  async play(scene) {
    const { house, random } = scene;
    scene.outlived = true;
    await house.up();
    const talker = scene.talker();
    // What is struck is no start of Claude Code: one that is not ready does not go on.
    await talker.say(scene.short(session));
    const points: readonly (() => Point)[] = [
      () => ({ what: 'streams', message: scene.long(session), event: 'turn.running', ms: random() * 250 }),
      () => ({ what: 'a tool', message: scene.tool(session), event: 'permission.sent', ms: random() * 400 }),
      () => {
        const message = scene.question(session);
        return { what: 'a question', message, event: 'permission.asked', ms: random() * 300, later: true };
      },
      () => ({ what: 'typing', message: scene.short(session), event: 'turn.delivering', ms: random() * 150 }),
      () => ({ what: 'rests', message: scene.short(session), event: 'turn.settled', ms: random() * 300 }),
    ];
    const other = scene.talk('two');
    while (scene.goesOn) {
      const point = points[scene.struckSoFar % points.length];
      if (point) await strikeAt(scene, talker, point());
    }
    await other;
  },
};
