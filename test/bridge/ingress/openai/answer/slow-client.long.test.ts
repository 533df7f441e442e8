// Clients that do not read what they asked for: they cost their place in the answer, and get all of it when they read on.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { patienceMs } from '../../../../../src/bridge/ingress/openai/answer/client-pace.ts';
import { findTurn } from '../../../../../src/domain/state/session.ts';
import type { Turn } from '../../../../../src/domain/state/turn.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';
import { SmallBridge } from '../../../../support/small-bridge.ts';
import { until } from '../../../../support/until.ts';
import { groupBody, STAMP } from '../request.ts';
import { decodeSse } from './sse-decoder.ts';

/** More than the buffers of a system take for two sockets. */
const pieces = 640;
const piece = `${'long answer '.repeat(5_461)}\n`;

/** Knows for how long is waited just now. */
class WatchedClock extends ManualClock {
  readonly waits: number[] = [];

  override after(ms: number, fn: () => void) {
    const cancel = super.after(ms, fn);
    this.waits.push(ms);
    return () => {
      if (this.waits.includes(ms)) this.waits.splice(this.waits.indexOf(ms), 1);
      cancel();
    };
  }
}

class SlowClient implements AsyncDisposable {
  readonly clock = new WatchedClock();
  /** Text that its reader took from the turn, UTF-16 code units. */
  taken = 0;
  key = '';
  turn = '';
  bridge!: SmallBridge;
  posted!: ClientRequest;
  response!: IncomingMessage;

  /** Asks, and reads nothing of the answer. */
  static async start(path: string, body: object, { ends = true } = {}): Promise<SlowClient> {
    const client = new SlowClient();
    const bridge = await SmallBridge.start({ streamClock: client.clock, clock: client.clock });
    client.bridge = bridge;
    bridge.agent.onPrompt = (prompt, session) => {
      client.key = session.key;
      client.turn = prompt.turn;
      bridge.agent.take(session.key, prompt.turn);
    };
    const read = bridge.readers.read.bind(bridge.readers);
    bridge.readers.read = async function* (options) {
      for await (const item of read(options)) {
        if (item.kind === 'text') client.taken += item.text.length;
        yield item;
      }
    };
    const authorization = `Bearer ${bridge.token}`;
    client.posted = request(`${bridge.url}/v1/${path}`, {
      method: 'POST',
      agent: false,
      headers: { authorization, 'content-type': 'application/json', 'x-synthesis-session': 's' },
    });
    client.posted.on('error', () => {});
    const answered = once(client.posted, 'response');
    client.posted.end(JSON.stringify(body));
    await until('Claude to work', () => client.turn !== '');
    client.writes(ends);
    [client.response] = await answered;
    client.response.pause();
    return client;
  }

  get kept(): Turn | undefined {
    const session = this.bridge.dispatcher.session(this.key);
    return session && findTurn(session, this.turn);
  }

  /** Claude writes a long answer. */
  writes(ends: boolean): void {
    for (let index = 0; index < pieces; index += 1)
      this.bridge.agent.say(this.key, this.turn, piece, 'm', index, index === pieces - 1);
    if (ends) this.bridge.agent.endTurn(this.key, this.turn);
  }

  /** Until nothing goes out any more. */
  stands(): Promise<unknown> {
    return until('the client to stand still', () => this.clock.waits.includes(patienceMs));
  }

  async readsOn(): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of this.response) parts.push(part);
    return String(Buffer.concat(parts));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.posted.destroy();
    await this.bridge[Symbol.asyncDispose]();
  }
}

const chat = { model: 'claude', stream: true, messages: [{ role: 'user', content: 'go' }] };
const all = piece.repeat(pieces);

interface Chunk {
  choices?: { delta: { content?: string } }[];
}

test('a client that stands still holds back what it reads, and gets the whole answer when it reads on', async () => {
  await using client = await SlowClient.start('chat/completions', chat);
  await client.stands();
  expect(client.taken).toBeLessThan(all.length / 2);
  const events = decodeSse(await client.readsOn());
  const text = events.map(({ value }) => (value as Chunk).choices?.[0]?.delta.content ?? '').join('');
  expect(text === all).toBe(true);
  expect(client.taken).toBe(all.length);
});

test('so does the end of a response that repeats its whole text', async () => {
  const body = { model: 'claude', stream: true, input: 'go', store: false };
  await using client = await SlowClient.start('responses', body);
  await client.stands();
  const events = decodeSse(await client.readsOn()).map(({ value }) => value as Record<string, never>);
  const done = events.find(({ type }) => type === 'response.output_text.done');
  expect(done?.text === all).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
});

test('an answer in one piece is whole for a client that stands still in between', async () => {
  await using client = await SlowClient.start('chat/completions', { ...chat, stream: false });
  await client.stands();
  const answer = JSON.parse(await client.readsOn());
  expect(answer.choices[0].message.content === all).toBe(true);
});

test('a client that takes nothing for ten minutes is hung up on; its answer counts as unread', async () => {
  await using client = await SlowClient.start('chat/completions', chat);
  await client.stands();
  client.clock.advance(patienceMs);
  await expect(client.readsOn()).rejects.toThrow('aborted');
  expect(client.kept).toMatchObject({ handed: 0, answered: false, phase: { outcome: 'completed' } });
});

test('to be hung up on is no /stop: Claude goes on', async () => {
  const body = groupBody({ role: 'user', content: `${STAMP}go` });
  await using client = await SlowClient.start('chat/completions', body, { ends: false });
  await client.stands();
  client.clock.advance(patienceMs);
  await expect(client.readsOn()).rejects.toThrow('aborted');
  client.clock.advance(10 * 60_000);
  expect(client.kept?.phase.name).toBe('running');
  expect(client.kept?.cancelledBy).toBeUndefined();
});
