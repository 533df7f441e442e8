import type { Started } from '../play/house.ts';
import { atSomeMoment } from '../play/moment.ts';
import type { Scene } from '../play/scene.ts';
import type { Row } from '../row.ts';

/** Longest refusal, milliseconds. */
const refusalMs = 10_000;

async function refused({ history }: Scene, second: Started): Promise<void> {
  const ready = await second.ready();
  const code = ready ? 0 : await second.exit(refusalMs);
  const right = code !== 0 && second.said.includes('journal_locked');
  history.claim('a second bridge is refused', right, second.said);
  if (ready) await second.kill();
}

/** One dies, and two want its place at the same time. */
async function race(scene: Scene): Promise<void> {
  const { house, history } = scene;
  await house.bridge.kill();
  const both = [house.start(), house.start()];
  const ready = await Promise.all(both.map((each) => each.ready()));
  const winners = both.filter((_, at) => ready[at]);
  history.claim(
    'one of two becomes the bridge',
    winners.length === 1,
    both.map(({ said }) => said).join('; '),
  );
  const [winner] = winners;
  if (winner) house.adopt(winner);
  else await house.up();
}

export const twoBridges: Row = {
  name: 'two-bridges',
  does: 'starts a second bridge on the state folder of one that works; every third time the first is killed and two race for its place',
  holds: 'the second says that one is running already and changes nothing; one of two wins the race',
  short: 2,
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    const talks = [scene.talk('one'), scene.talk('two')];
    while (scene.goesOn) {
      if (scene.struckSoFar % 3 === 2) {
        scene.struck('kill -9, then two at once');
        await race(scene);
        continue;
      }
      const second = await atSomeMoment(history, random, () => house.start({ port: 0 }));
      scene.struck('a second bridge');
      await refused(scene, second);
    }
    await Promise.all(talks);
    history.claim('the bridge runs', !house.bridge.over);
  },
};
