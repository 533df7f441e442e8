import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listenOn } from '../../src/base/net/local-server.ts';

const where = { port: 0, host: '127.0.0.1' };

test('a server that cannot listen says why, and one that does outlives its later errors', async () => {
  const server = createServer();
  await listenOn(server, where);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  const taken = createServer();
  await expect(listenOn(taken, { ...where, port: address.port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  for (const code of ['EMFILE', 'ECONNABORTED'])
    server.emit('error', Object.assign(new Error(code), { code }));
  expect(server.listening).toBe(true);
  server.close();
  await once(server, 'close');
});
