import { channelsOf } from '../play/channels.ts';
import { kill } from '../play/kill.ts';
import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

const sessions = ['one', 'two'];

export const killChannel: Row = {
  name: 'kill-channel',
  does: 'SIGKILL to the channel server that Claude Code started, in a turn or between two',
  holds: 'the bridge goes on; messages are typed, or the channel is started again',
  short: 1,
  delivery: 'channel',
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    const talks = sessions.map((session) => scene.talk(session));
    while (scene.goesOn) {
      const channels = await channelsOf(house.home.state);
      const session = sessions[Math.floor(random() * sessions.length)] ?? '';
      const channel = channels.find((each) => each.session === session);
      if (await atSomeMoment(history, random, () => channel !== undefined && kill(channel.pid)))
        scene.struck('kill -9 channel');
      // One that died too often stays away until there is a new Claude Code.
      else if (channel === undefined) await scene.command('stop', session);
    }
    await Promise.all(talks);
    history.claim('the bridge runs', !house.bridge.over);
  },
};
