import { connect } from 'node:net';
import type { Message } from '../play/message.ts';
import type { Scene } from '../play/scene.ts';
import type { Row } from '../row.ts';

/** Characters of an answer: more than what a kernel keeps for a connection that is not read. */
const length = 3_600_000;
const atOnce = 5;

/** Asks over a bare socket and takes one byte a second. */
async function readSlowly({ house }: Scene, message: Message, ms: number): Promise<void> {
  const body = JSON.stringify({
    model: 'claude',
    stream: true,
    messages: [{ role: 'user', content: message.text }],
  });
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    `Host: 127.0.0.1:${house.port}`,
    `Authorization: Bearer ${house.token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Synthesis-Session: ${message.session}`,
    `Idempotency-Key: ${message.mark}`,
  ];
  const again = () => socket.resume();
  const socket = connect({
    port: house.port,
    host: '127.0.0.1',
    onread: {
      buffer: Buffer.alloc(1),
      callback: () => {
        setTimeout(again, 1000);
        return false;
      },
    },
  });
  socket.on('error', () => {});
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  await new Promise((resolve) => setTimeout(resolve, ms));
  socket.destroy();
}

export const slowConsumer: Row = {
  name: 'slow-consumer',
  does: `${atOnce} clients at a time read one byte a second of ${length.toLocaleString('en')} characters, then leave and ask again`,
  holds: 'the bridge goes on; the repeat reads all of it',
  async play(scene) {
    const { house, history, random } = scene;
    await house.up();
    const talk = scene.talk('quick');
    while (scene.goesOn) {
      const round = Array.from({ length: atOnce }, async (_, at) => {
        const mark = scene.mark();
        const text = `[[long:${length}]] ${mark}`;
        const message: Message = { mark, session: `slow ${at}`, text, expects: [], last: false };
        history.write({ is: 'sent', ...message });
        await readSlowly(scene, message, 1_000 + random() * 2_000);
        scene.struck('a reader of one byte a second left');
        await scene.talker().say(message);
        const read = history.entries.findLast((entry) => entry.is === 'ended' && entry.mark === mark);
        const whole = read?.is === 'ended' ? read.text.split('lorem').length - 1 : 0;
        history.claim(`all of ${mark} was read`, whole === length / 6, `${whole} words`);
      });
      await Promise.all(round);
    }
    await talk;
    history.claim('the bridge runs', !house.bridge.over);
  },
};
