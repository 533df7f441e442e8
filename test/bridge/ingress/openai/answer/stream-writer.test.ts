// When a stream that says nothing gives a sign of life: a response of Node's own, on a socket that takes what it is allowed.
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StreamWriter } from '../../../../../src/bridge/ingress/openai/answer/stream-writer.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';

const head = { id: 'r', created: 0, model: 'claude' };

class World {
  readonly clock = new ManualClock();
  readonly writer: StreamWriter;
  #sent = '';
  #stands = false;
  #goOn = () => {};

  constructor() {
    const socket = new Duplex({
      read: () => {},
      write: (chunk, _encoding, done) => {
        this.#sent += chunk;
        if (this.#stands) this.#goOn = done;
        else done();
      },
    }) as Socket;
    const response = new ServerResponse(new IncomingMessage(socket));
    response.assignSocket(socket);
    const { clock } = this;
    this.writer = new StreamWriter(response, {
      clock,
      keepAliveMs: 10_000,
      api: 'chat',
      head,
      includeUsage: false,
    });
  }

  async say(text: string): Promise<void> {
    await this.writer.write((stream) => stream.text(text));
    await setImmediate();
  }

  /** Its client takes nothing, until it is told to. */
  stand(): void {
    this.#stands = true;
  }

  async goOn(): Promise<void> {
    this.#stands = false;
    this.#goOn();
    await setImmediate();
  }

  /** @returns how many signs of life there are after so much time */
  async after(ms: number): Promise<number> {
    this.clock.advance(ms);
    await setImmediate();
    return this.#sent.split('"content":""').length - 1;
  }
}

test('it comes after so much silence, again and again, and a text puts it off', async () => {
  const world = new World();
  await world.say('a');
  expect(await world.after(6_000)).toBe(0);
  await world.say('b');
  expect(await world.after(9_999)).toBe(0);
  expect(await world.after(1)).toBe(1);
  expect(await world.after(9_999)).toBe(1);
  expect(await world.after(1)).toBe(2);
});

test('a client that takes nothing gets none, and there is no timer behind the end', async () => {
  const world = new World();
  await world.say('a');
  world.stand();
  await world.say('b');
  expect(await world.after(60_000)).toBe(0);
  await world.goOn();
  expect(await world.after(10_000)).toBe(1);
  await world.writer.end();
  expect(world.clock.timers).toBe(0);
});
