import { until } from '../../test/support/until.ts';
import type { Deed } from '../history/entry.ts';
import { atSomeMoment } from '../play/moment.ts';
import { operate, type SessionSeen } from '../play/operator.ts';
import type { Scene } from '../play/scene.ts';
import type { Row } from '../row.ts';

const deeds: readonly Deed[] = ['approve', 'deny', 'stop', 'rm', 'interrupt'];

async function works(scene: Scene, session: string): Promise<void> {
  const { state } = scene.house.home;
  await until(`${session} to work`, async () => {
    const rows = await operate<SessionSeen[]>(state, 'session.list', {});
    return rows?.some((row) => row.key === session && row.state === 'working');
  });
}

/** Brings a session to where the deed makes sense, and does it; the kill follows its acknowledgement. */
async function perform(scene: Scene, deed: Deed, kill: () => Promise<unknown>): Promise<void> {
  const talker = scene.talker();
  switch (deed) {
    case 'approve':
    case 'deny': {
      const code = await talker.say(scene.question('one'));
      const killed = kill();
      if (code !== undefined) await scene.decide(code, deed);
      return void (await killed);
    }
    case 'stop': {
      await talker.say(scene.short('two'));
      const killed = kill();
      await scene.command('stop', 'two');
      return void (await killed);
    }
    case 'rm': {
      const session = `gone ${scene.struckSoFar}`;
      await talker.say(scene.short(session));
      const killed = kill();
      await scene.command('rm', session);
      return void (await killed);
    }
    case 'interrupt': {
      const said = talker.say(scene.slow('three'));
      await works(scene, 'three');
      const killed = kill();
      await scene.command('interrupt', 'three');
      await killed;
      await scene.house.up();
      return void (await said);
    }
  }
}

export const killAtAck: Row = {
  name: 'kill-at-ack',
  does: 'SIGKILL to the bridge in the moment in which the operator reads that approve, deny, stop, rm or interrupt was done',
  holds: 'what was acknowledged is in the journal',
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    while (scene.goesOn) {
      const deed = deeds[Math.floor(random() * deeds.length)] ?? 'approve';
      await perform(scene, deed, () =>
        atSomeMoment(history, random, () => house.bridge.kill(), ['acknowledged']),
      );
      scene.struck(`kill -9 after ${deed}`);
      if (house.bridge.over) await house.up();
    }
  },
};
