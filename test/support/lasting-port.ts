import { createServer } from 'node:net';

/** Below the ports that the system hands out by itself (32768 and more on Linux). */
const first = 20_000;
const count = 10_000;

/** A port on loopback that stays ours while nobody listens on it: what listens on any free port never gets it. */
export async function lastingPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = first + Math.floor(Math.random() * count);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error('no port of 100 was free');
}
