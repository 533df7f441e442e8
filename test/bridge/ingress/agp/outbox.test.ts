import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Outbox } from '../../../../src/bridge/ingress/agp/outbox.ts';

class Link {
  readonly texts: string[] = [];
  readonly pings: string[] = [];
  send(text: string): void {
    this.texts.push(text);
  }
  ping(payload: string): void {
    this.pings.push(payload);
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a response is delivered when the pong to a later ping comes, not before', async () => {
  const outbox = new Outbox();
  const link = new Link();
  outbox.attach(link);
  outbox.ping();
  let arrived: boolean | undefined;
  void outbox.deliver('answer').then((each) => {
    arrived = each;
  });
  await settled();
  expect(link).toMatchObject({ texts: ['answer'], pings: ['1', '2'] });
  outbox.pong('1');
  outbox.pong('not ours');
  await settled();
  expect(arrived).toBeUndefined();
  outbox.pong('2');
  await settled();
  expect(arrived).toBe(true);
  expect(outbox.size).toBe(0);
});

test('responses of one moment share a ping; pieces wait for the heartbeat', async () => {
  const outbox = new Outbox();
  const link = new Link();
  outbox.attach(link);
  outbox.send('piece');
  await settled();
  expect(link.pings).toEqual([]);
  void outbox.deliver('a');
  void outbox.deliver('b');
  await settled();
  expect(link.pings).toEqual(['1']);
});

test('what was not proved goes again over the next connection, first and in order', async () => {
  const outbox = new Outbox();
  const first = new Link();
  outbox.attach(first);
  outbox.send('1');
  outbox.ping();
  outbox.send('2');
  void outbox.deliver('3');
  await settled();
  outbox.pong('1');
  outbox.detach();
  void outbox.deliver('4');
  const second = new Link();
  outbox.attach(second);
  outbox.send('5');
  expect(second.texts).toEqual(['2', '3', '4', '5']);
});

test('a gateway that does not read stops the flow at the window, and a closed outbox lets everybody go', async () => {
  const outbox = new Outbox();
  const link = new Link();
  outbox.attach(link);
  const piece = 'x'.repeat(100_000);
  let sent = 0;
  const writing = (async () => {
    while (await outbox.room()) {
      outbox.send(piece);
      sent += 1;
    }
    return 'closed';
  })();
  await settled();
  expect(sent).toBe(11);
  expect(link.pings.length).toBeGreaterThan(0);
  outbox.pong(link.pings.at(-1) ?? '');
  await settled();
  expect(sent).toBeGreaterThan(11);
  const unproved = outbox.deliver('answer');
  outbox.close();
  expect(await writing).toBe('closed');
  expect(await unproved).toBe(false);
  expect(await outbox.deliver('late')).toBe(false);
});

test('whatever is lost on the way, each frame arrives, and without repeats in order', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.constant('send' as const) },
    { weight: 2, arbitrary: fc.constant('ping' as const) },
    { weight: 2, arbitrary: fc.constant('read' as const) },
    { weight: 1, arbitrary: fc.constant('cut' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const outbox = new Outbox();
      const arrived: string[] = [];
      let wire: { text?: string; ping?: string }[] = [];
      const connect = () => {
        wire = [];
        outbox.attach({ send: (text) => wire.push({ text }), ping: (ping) => wire.push({ ping }) });
      };
      const read = () => {
        const next = wire.shift();
        if (next?.text !== undefined && !arrived.includes(next.text)) arrived.push(next.text);
        if (next?.ping !== undefined) outbox.pong(next.ping);
      };
      connect();
      let count = 0;
      for (const each of steps) {
        if (each === 'send') outbox.send(String(count++));
        if (each === 'ping') outbox.ping();
        if (each === 'read') read();
        if (each === 'cut') {
          outbox.detach();
          connect();
        }
      }
      outbox.ping();
      while (wire.length > 0) read();
      expect(arrived).toEqual(Array.from({ length: count }, (_, n) => String(n)));
      expect(outbox.size).toBe(0);
    }),
  );
});
