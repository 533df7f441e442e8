import { kill } from '../play/kill.ts';
import { atSomeMoment } from '../play/moment.ts';
import { operate, type SessionSeen } from '../play/operator.ts';
import type { Row } from '../row.ts';

export const killClaude: Row = {
  name: 'kill-claude',
  does: 'SIGKILL to the Claude Code of a session',
  holds: 'the bridge goes on',
  short: 1,
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    const talks = [scene.talk('one'), scene.talk('two')];
    while (scene.goesOn) {
      const seen = await operate<SessionSeen[]>(house.home.state, 'session.list', {});
      const pids = (seen ?? []).flatMap(({ pid }) => pid ?? []);
      const pid = pids[Math.floor(random() * pids.length)];
      if (await atSomeMoment(history, random, () => pid !== undefined && kill(pid)))
        scene.struck('kill -9 claude');
    }
    await Promise.all(talks);
    history.claim('the bridge runs', !house.bridge.over);
  },
};
