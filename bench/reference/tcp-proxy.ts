// What N1 is compared with: bytes that go through another process, over TCP on loopback, and nothing is kept of them.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

const [target] = process.argv.slice(2);

const server = createServer((socket) => {
  const onward = connect(Number(target), '127.0.0.1');
  socket.pipe(onward).pipe(socket);
  for (const each of [socket, onward]) each.on('error', () => each.destroy());
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
