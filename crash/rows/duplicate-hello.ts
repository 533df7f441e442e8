import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { channelProgram } from '../../test/e2e/support/program.ts';
import { until } from '../../test/support/until.ts';
import { type ChannelSeen, channelsOf, claudeOf } from '../play/channels.ts';
import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

/** Longest way to the bridge, milliseconds. */
const helloMs = 10_000;
const sessions = ['one', 'two'];

/** A channel server more, with the environment of one that runs: its messages reach nobody. */
class Double implements AsyncDisposable {
  readonly #child: ChildProcess;
  said = '';

  constructor({ env }: ChannelSeen) {
    this.#child = spawn(process.execPath, [channelProgram], { env, stdio: ['pipe', 'ignore', 'pipe'] });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.said += text;
    });
  }

  get toldOfAnother(): boolean {
    return this.said.includes('took over this session');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}

export const duplicateHello: Row = {
  name: 'duplicate-hello',
  does: 'two more channel servers say hello for a session that has one, and are killed a moment later',
  holds:
    'one of them is told in words that another took over; messages are typed, or the channel is started again',
  short: 1,
  delivery: 'channel',
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    const talks = sessions.map((session) => scene.talk(session));
    while (scene.goesOn) {
      const session = sessions[Math.floor(random() * sessions.length)] ?? '';
      const channel = (await channelsOf(house.home.state)).find((each) => each.session === session);
      if (!channel) {
        // One that lost its place too often stays away until there is a new Claude Code.
        await atSomeMoment(history, random, () => {});
        const { state } = house.home;
        const claude = await claudeOf(state, session);
        await scene.command('stop', session);
        // One that is ending may still have a channel, with a token that counts no more.
        if (claude !== undefined)
          await until('its end', async () => (await claudeOf(state, session)) !== claude, helloMs).catch(
            () => {},
          );
        continue;
      }
      await using first = new Double(channel);
      await using second = await atSomeMoment(history, random, () => new Double(channel));
      scene.struck('two more channel servers');
      const told = () => first.toldOfAnother !== second.toldOfAnother;
      await until('one of two to be told', told, helloMs).catch(() => {});
      const words = `${first.said} ${second.said}`;
      history.claim('one of two is told that another took over', told(), words);
      await new Promise((resolve) => setTimeout(resolve, random() * 1_500));
    }
    await Promise.all(talks);
    history.claim('the bridge runs', !house.bridge.over);
  },
};
