import { createServer } from 'node:net';

/** Below the ports that the system hands out by itself (32768 and more on Linux). */
const lowest = 20_000;
/** Of each worker: it runs one test after the other, and no other one picks a port that is just not listened on. */
const count = 600;
const workers = 16;
const first = lowest + (Number(process.env.VITEST_POOL_ID ?? 0) % workers) * count;

/** Given before, and perhaps not listened on yet: one test may ask for two. */
const given = new Set<number>();

/** A port on loopback that stays ours while nobody listens on it: what listens on any free port never gets it. */
export async function lastingPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = first + Math.floor(Math.random() * count);
    if (given.has(port)) continue;
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    given.add(port);
    return port;
  }
  throw new Error('no port of 100 was free');
}
