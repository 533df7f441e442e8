import { createServer, type Server } from 'node:net';
import { until } from '../../test/support/until.ts';
import { atSomeMoment } from '../play/moment.ts';
import type { Row } from '../row.ts';

/** Longest refusal, milliseconds. */
const refusalMs = 10_000;

const listening = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });

/** Takes a port on loopback until it is called again; whoever connects is thrown out. */
async function occupy(port: number): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.on('error', () => {}).destroy());
  // A child that the killed one was just about to start holds the port until it is another program.
  await until('the port to be free', () => listening(server, port));
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
