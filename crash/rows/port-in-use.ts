import { createServer } from 'node:net';
import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

/** Longest refusal, milliseconds. */
const refusalMs = 10_000;

/** Takes a port on loopback until it is called again; whoever connects is thrown out. */
async function occupy(port: number): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.on('error', () => {}).destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return async () => {
    await new Promise((resolve) => server.close(resolve));
  };
}

export const portInUse: Row = {
  name: 'port-in-use',
  does: 'SIGKILL, and somebody else has the port when it starts again',
  holds: 'it says that the port is taken, ends, and starts as soon as the port is free',
  short: 1,
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    const talks = [scene.talk('one'), scene.talk('two')];
    while (scene.goesOn) {
      await atSomeMoment(history, random, () => house.bridge.kill());
      const leave = await occupy(house.port);
      scene.struck('somebody else took the port');
      const second = house.start();
      const code = (await second.ready()) ? 0 : await second.exit(refusalMs);
      history.claim('it is refused', code !== 0 && second.said.includes('port_in_use'), second.said);
      await leave();
      await house.up();
    }
    await Promise.all(talks);
  },
};
