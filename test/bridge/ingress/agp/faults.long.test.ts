// Connections and processes end wherever it hurts; every prompt still gets its one response, whole.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryJournal } from '../../../../src/bridge/journal/memory-journal.ts';
import { currentTurn } from '../../../../src/domain/state/session.ts';
import { AgpBridge } from '../../../support/agp-bridge.ts';
import { AgpGateway, type PromptSeen } from '../../../support/agp-gateway.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

let gateway: AgpGateway;
let bridge: AgpBridge;

beforeEach(async () => {
  gateway = await AgpGateway.start();
});

afterEach(async () => {
  await bridge[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});

const key = () => bridge.key('wx-1');

async function connect(options: Partial<ConstructorParameters<typeof AgpBridge>[0]> = {}): Promise<void> {
  bridge = new AgpBridge({ url: gateway.url, ...options }).start();
  await gateway.connected(gateway.connections + 1);
  // The gateway knows of a connection before the bridge does.
  await until('the connection', () => bridge.ingress.status().state === 'connected');
}

const words = Array.from({ length: 8 }, (_, n) => `piece ${n} 🙂 `);

/** Claude answers in eight pieces with a tool use in the middle, each once the one before was handed out. */
function play(from: AgpBridge, turn: string): void {
  const at = from.key('wx-1');
  from.agent.take(at, turn);
  words.forEach((text, index) => {
    from.agent.say(at, turn, text, 'm', index);
    if (index !== 3) return;
    const use = { type: 'tool.activity', tool_use: 'u1', tool: 'Grep' } as const;
    from.agent.report(at, { ...use, phase: 'started', input: { pattern: 'x' } });
    from.agent.report(at, { ...use, phase: 'succeeded', output: '3 files' });
  });
  from.agent.endTurn(at, turn);
}

/** The same, but each piece waits until the gateway was given the one before. */
async function playSlowly(seen: PromptSeen, turn: string): Promise<void> {
  bridge.agent.take(key(), turn);
  for (const [index, text] of words.entries()) {
    bridge.agent.say(key(), turn, text, 'm', index);
    await until(`piece ${index}`, () => seen.streamed.includes(text));
  }
  bridge.agent.endTurn(key(), turn);
}

describe('the connection is cut', () => {
  test.each(Array.from({ length: 14 }, (_, n) => n))(
    'after frame %i of an answer: nothing is lost, doubled or out of order',
    async (n) => {
      await connect();
      let cuts = 0;
      gateway.onFrame = (count) => {
        if (count !== n || cuts > 0) return;
        cuts += 1;
        gateway.cut();
      };
      const prompts: string[] = [];
      bridge.agent.onPrompt = ({ turn }) => void prompts.push(turn);
      const seen = gateway.prompt('wx-1', 'go');
      const turn = await until('the prompt', () => prompts[0]);
      if (n === 0) gateway.cut();
      await playSlowly(seen, turn);
      expect((await gateway.answered(seen)).content).toBe(words.join(''));
      await until('the proof', () => bridge.dispatcher.session(key())?.replies[0]?.sent);
      expect(gateway.verdict()).toEqual([]);
      expect(bridge.agent.prompts).toHaveLength(1);
    },
  );

  test('before anything was answered: the answer that was finished meanwhile is sent on return', async () => {
    await connect();
    bridge.agent.onPrompt = () => {};
    const seen = gateway.prompt('wx-1', 'go');
    const { prompt } = await until('the prompt', () => bridge.agent.prompts[0]);
    await gateway.stop();
    await until('the loss', () => bridge.ingress.status().state === 'reconnecting');
    play(bridge, prompt.turn);
    await gateway.listen();
    expect((await gateway.answered(seen)).content).toBe(words.join(''));
    expect(seen.tools.get('u1')?.status).toBe('completed');
    expect(gateway.verdict()).toEqual([]);
  });

  test('with a close frame, and at once again after each return: every prompt is answered', async () => {
    await connect();
    const seen: PromptSeen[] = [];
    for (let n = 1; n <= 6; n += 1) {
      seen.push(gateway.prompt('wx-1', `message ${n}`));
      await until('the prompt', () => bridge.agent.prompts.length === n);
      gateway.closeAll(1012, 'restart');
      await gateway.connected(gateway.connections + 1);
    }
    for (const prompt of seen) await gateway.answered(prompt);
    expect(gateway.verdict()).toEqual([]);
  });

  test('while twelve prompts of one conversation wait: none of their answers is forgotten', async () => {
    await connect();
    bridge.agent.onPrompt = () => {};
    const seen = Array.from({ length: 12 }, (_, n) => gateway.prompt('wx-1', `message ${n}`));
    await until('all of them', () => bridge.dispatcher.session(key())?.replies.length === 12);
    await gateway.stop();
    await until('the loss', () => bridge.ingress.status().state === 'reconnecting');
    for (let n = 0; n < 12; n += 1) {
      const { prompt } = await until('the next', () => bridge.agent.prompts[n]);
      bridge.agent.take(key(), prompt.turn);
      bridge.agent.endTurn(key(), prompt.turn, `answer ${n}`);
    }
    await gateway.listen();
    for (const [n, prompt] of seen.entries())
      expect((await gateway.answered(prompt)).content).toBe(`answer ${n}`);
    expect(gateway.verdict()).toEqual([]);
  });
});

describe('the other side keeps silent', () => {
  test('half-open: the heartbeat notices, and what went into the void is sent again', async () => {
    const clock = new ManualClock();
    await connect({ clock, heartbeatMs: 20_000 });
    bridge.agent.onPrompt = () => {};
    const seen = gateway.prompt('wx-1', 'go');
    const { prompt } = await until('the prompt', () => bridge.agent.prompts[0]);
    gateway.stall();
    play(bridge, prompt.turn);
    await until(
      'the response is on its way',
      () => currentTurn(bridge.dispatcher.session(key()) ?? never()) === undefined,
    );
    clock.advance(19_999);
    expect(bridge.ingress.status().state).toBe('connected');
    clock.advance(20_001);
    expect(bridge.ingress.status()).toMatchObject({
      state: 'reconnecting',
      reason: 'the gateway did not answer a ping',
    });
    clock.advance(3_000);
    await gateway.connected(2);
    expect((await gateway.answered(seen)).content).toBe(words.join(''));
    expect(gateway.verdict()).toEqual([]);
  });

  test('a machine that slept asks for a sign of life at once, and comes back within seconds', async () => {
    const clock = new SleepyClock();
    await connect({ clock });
    bridge.agent.onPrompt = () => {};
    const seen = gateway.prompt('wx-1', 'go');
    const { prompt } = await until('the prompt', () => bridge.agent.prompts[0]);
    gateway.stall();
    clock.sleep(3_600_000);
    clock.advance(5_000);
    play(bridge, prompt.turn);
    clock.advance(5_000);
    expect(bridge.ingress.status()).toMatchObject({
      state: 'reconnecting',
      reason: 'no sign of life after the machine slept',
    });
    clock.advance(100);
    await gateway.connected(2);
    expect((await gateway.answered(seen)).content).toBe(words.join(''));
    expect(gateway.verdict()).toEqual([]);
  });

  test('a clock that is set does no harm to a healthy connection', async () => {
    const clock = new SleepyClock();
    await connect({ clock });
    for (const jump of [3_600_000, -7_200_000, 86_400_000]) {
      clock.sleep(jump);
      clock.advance(5_000);
      // The answer proves that the pong came, too: both travel in order.
      await gateway.ask('wx-1', `after ${jump}`);
      await until('the proof', () => bridge.dispatcher.session(key())?.replies.every((reply) => reply.sent));
      clock.advance(5_000);
    }
    expect(gateway.connections).toBe(1);
    expect(gateway.verdict()).toEqual([]);
  });
});

describe('the bridge', () => {
  test('is killed while Claude works: the prompt ends with an error after the restart, and what was streamed stays', async () => {
    await connect();
    bridge.agent.onPrompt = ({ turn }) => bridge.agent.take(key(), turn);
    const seen = gateway.prompt('wx-1', 'go');
    const { prompt } = await until('the prompt', () => bridge.agent.prompts[0]);
    bridge.agent.say(key(), prompt.turn, 'I begin');
    await until('the beginning', () => seen.streamed === 'I begin');
    await restart();
    const { stop_reason, error } = await gateway.answered(seen);
    expect(stop_reason).toBe('error');
    expect(error).toContain('restarted while Claude worked');
    expect(seen.streamed).toBe('I begin');
    expect(gateway.verdict()).toEqual([]);
  });

  test('is killed before what it streamed is on disk, and Claude goes on: nothing is streamed twice', async () => {
    await connect();
    const run = 'r';
    bridge.agent.onPrompt = ({ turn }) => {
      bridge.agent.report(key(), { type: 'agent.starting', run });
      bridge.agent.report(key(), { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
      bridge.agent.take(key(), turn);
    };
    const seen = gateway.prompt('wx-1', 'go');
    const { prompt } = await until('the prompt', () => bridge.agent.prompts[0]);
    bridge.agent.say(key(), prompt.turn, 'I begin');
    await until('the beginning', () => seen.streamed === 'I begin');
    const journal = new MemoryJournal();
    for (const { session, event } of bridge.journal.read(0))
      if (event.type !== 'answer.delta') journal.append(session, [event]);
    await restart({ alive: run, journal });
    bridge.agent.say(key(), prompt.turn, 'I begin');
    bridge.agent.say(key(), prompt.turn, ' and end', 'm', 1);
    bridge.agent.endTurn(key(), prompt.turn);
    expect((await gateway.answered(seen)).content).toBe('I begin and end');
    expect(gateway.verdict()).toEqual([]);
  });

  test('is killed before Claude took the prompt: it is handed over again and answered', async () => {
    await connect();
    bridge.agent.onPrompt = () => {};
    const seen = [gateway.prompt('wx-1', 'one'), gateway.prompt('wx-1', 'two')];
    await until('the prompts', () => bridge.dispatcher.session(key())?.turns.length === 2);
    await restart();
    for (const prompt of seen)
      expect((await gateway.answered(prompt)).content).toBe(`You said: ${prompt.text}`);
    expect(gateway.verdict()).toEqual([]);
  });

  test('is killed with an answer that was finished while disconnected: it is sent by the next one', async () => {
    await connect();
    bridge.agent.onPrompt = () => {};
    const seen = gateway.prompt('wx-1', 'go');
    const { prompt } = await until('the prompt', () => bridge.agent.prompts[0]);
    await gateway.stop();
    play(bridge, prompt.turn);
    const next = bridge.killed();
    await gateway.listen();
    bridge = next.start();
    seen.interrupted = true;
    expect((await gateway.answered(seen)).content).toBe(words.join(''));
    expect(gateway.verdict()).toEqual([]);
  });

  test('is killed after the conversation was removed and kept: its prompt is told so by the next one', async () => {
    await connect();
    bridge.agent.onPrompt = () => {};
    const seen = gateway.prompt('wx-1', 'go');
    await until('the prompt', () => bridge.agent.prompts.length === 1);
    await gateway.stop();
    bridge.dispatcher.dispatch(key(), { type: 'session.remove', keep: true });
    const next = bridge.killed();
    await gateway.listen();
    bridge = next.start();
    seen.interrupted = true;
    expect((await gateway.answered(seen)).stop_reason).toBe('cancelled');
    expect(gateway.verdict()).toEqual([]);
  });

  test('is killed between a verdict and the rest of the answer: the verdict’s prompt is answered, too', async () => {
    await connect();
    bridge.agent.onPrompt = ({ turn }) => {
      bridge.agent.take(key(), turn);
      const ask = { type: 'permission.ask', code: 'abcde', tool: 'Bash', input: { command: 'ls' } } as const;
      bridge.agent.report(key(), { ...ask, expires_at: Date.now() + 60_000 });
    };
    const question = await gateway.ask('wx-1', 'go');
    const verdict = gateway.prompt('wx-1', 'yes abcde');
    await until('the verdict', () => bridge.agent.permissions.length === 1);
    await restart();
    expect((await gateway.answered(verdict)).error).toContain('restarted');
    expect(question.response?.stop_reason).toBe('end_turn');
    expect(gateway.verdict()).toEqual([]);
  });

  test('knows after a restart what was answered before it', async () => {
    await connect();
    const seen = await gateway.ask('wx-1', 'go');
    await until('the proof', () => bridge.dispatcher.session(key())?.replies[0]?.sent);
    await restart();
    gateway.again(seen);
    await until('the same response', () => gateway.repeats === 1);
    const next = await gateway.ask('wx-1', 'next');
    expect(next.response?.content).toBe('You said: next');
    expect(bridge.agent.prompts.map(({ prompt }) => prompt.text)).toEqual(['next']);
    expect(gateway.verdict()).toEqual([]);
  });

  test('stops: what is finished is sent first, what waits is answered by the next one', async () => {
    await connect();
    bridge.agent.onPrompt = ({ turn, text }) => {
      if (text === 'one') bridge.agent.take(key(), turn);
    };
    const running = gateway.prompt('wx-1', 'one');
    const waiting = gateway.prompt('wx-1', 'two');
    await until('both', () => bridge.dispatcher.session(key())?.turns.length === 2);
    const { prompt } = await until('the first', () => bridge.agent.prompts[0]);
    bridge.dispatcher.dispatch(key(), { type: 'turn.expire', turn: prompt.turn, code: 'shutting_down' });
    await bridge.ingress.close();
    expect(await gateway.answered(running)).toMatchObject({ stop_reason: 'error' });
    expect(waiting.response).toBeUndefined();
    await until('the farewell', () => gateway.live === 0);
    await restart();
    expect((await gateway.answered(waiting)).content).toBe('You said: two');
    expect(gateway.verdict()).toEqual([]);
  });

  async function restart(more: Parameters<AgpBridge['killed']>[0] = {}): Promise<void> {
    const next = bridge.killed(more);
    gateway.cut();
    for (const seen of gateway.prompts.values()) if (!seen.response) seen.interrupted = true;
    bridge = next;
    const before = gateway.connections;
    bridge.start();
    await gateway.connected(before + 1);
  }
});

function never(): never {
  throw new Error('there is no session');
}

/** The wall clock goes on while the machine sleeps; the monotonic one stands still. */
class SleepyClock extends ManualClock {
  #slept = 0;

  override wall(): number {
    return super.wall() + this.#slept;
  }

  sleep(ms: number): void {
    this.#slept += ms;
  }
}
