// Many conversations of one gateway at once, with everything going wrong that can go wrong between the two.
import { expect, test } from 'vitest';
import type { Prompt } from '../../../src/bridge/app/ports.ts';
import { findTurn } from '../../../src/domain/state/session.ts';
import { AgpBridge } from '../../support/agp-bridge.ts';
import { AgpGateway, type PromptSeen } from '../../support/agp-gateway.ts';
import { seeded } from '../../support/seeded.ts';
import { until } from '../../support/until.ts';

/** Seeded, so that a failure can be played again: AGP_SEED=… */
const seed = Number(process.env.AGP_SEED ?? 20_261_121);

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Claude answers in a few pieces over a few ticks, uses a tool now and then, and stops when it is interrupted. */
function lively(bridge: () => AgpBridge, dice: () => number): void {
  const { agent } = bridge();
  const mine = bridge();
  const work = async (key: string, { turn, text }: Prompt) => {
    agent.take(key, turn);
    const pieces = 1 + Math.floor(dice() * 4);
    for (let index = 0; index < pieces; index += 1) {
      if (dice() < 0.5) await tick();
      const session = mine.dispatcher.session(key);
      if (session && findTurn(session, turn)?.cancelledBy)
        return agent.report(key, { type: 'turn.idle', interrupted: true });
      agent.say(key, turn, `${text} ${index} 🙂`, 'm', index);
      if (dice() > 0.2) continue;
      const use = { type: 'tool.activity', tool_use: `${turn}-${index}`, tool: 'Read' } as const;
      agent.report(key, { ...use, phase: 'started', input: { file_path: '/w/x' } });
      agent.report(key, { ...use, phase: 'succeeded' });
    }
    if (dice() < 0.05)
      agent.report(key, { type: 'turn.failed', prompt: `p-${turn}`, code: 'provider_error', detail: '500' });
    else agent.endTurn(key, turn);
  };
  agent.onPrompt = (prompt, session) => void work(session.key, prompt);
}

test('10,000 prompts in 50 conversations: each is asked once and answered once', {
  timeout: 120_000,
}, async () => {
  await using gateway = await AgpGateway.start();
  await using bridge = new AgpBridge({ url: gateway.url }).start();
  await gateway.connected();
  const talk = async (session: number) => {
    for (let n = 0; n < 200; n += 1) {
      const seen = await gateway.ask(`wx-${session}`, `${session}/${n}`);
      expect(seen.response?.content).toBe(`You said: ${session}/${n}`);
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, session) => talk(session)));
  expect(bridge.agent.prompts).toHaveLength(10_000);
  expect(gateway.prompts.size).toBe(10_000);
  expect(gateway.connections).toBe(1);
  expect(gateway.verdict()).toEqual([]);
});

test(`50 conversations through cuts, restarts of the gateway, repeats, early and late cancels, and junk (seed ${seed})`, {
  timeout: 120_000,
}, async () => {
  const dice = seeded(seed);
  await using gateway = await AgpGateway.start();
  await using bridge = new AgpBridge({ url: gateway.url, reconnectMs: 2 }).start();
  lively(() => bridge, dice);
  await gateway.connected();
  const talk = async (session: string) => {
    for (let n = 0; n < 20; n += 1) {
      await until('a connection', () => gateway.live > 0);
      const id = `${session}-${n}`;
      if (dice() < 0.05) gateway.cancel({ session, id });
      const seen = gateway.prompt(session, `${n}`, { id });
      if (dice() < 0.2) gateway.again(seen);
      if (dice() < 0.1) gateway.cancel(seen);
      await reached(gateway, bridge, seen);
      if (dice() < 0.2) gateway.again(seen);
      if (dice() < 0.05) gateway.cancel(seen);
    }
  };
  // Things break while frames travel: otherwise nothing would ever get through.
  let restarting = Promise.resolve();
  gateway.onFrame = () => {
    const what = dice();
    if (what < 0.005) gateway.cut();
    else if (what < 0.008) gateway.closeAll(1011, 'oops');
    else if (what < 0.01) {
      restarting = restarting.then(() => gateway.stop()).then(() => gateway.listen());
    } else if (what < 0.05) gateway.raw('{"method":"session.pro');
    else if (what < 0.1) gateway.raw('{"method":"session.teleport","payload":{}}');
  };
  await Promise.all(Array.from({ length: 50 }, (_, session) => talk(`wx-${session}`)));
  await restarting;
  expect(gateway.connections).toBeGreaterThan(10);
  expect(gateway.verdict()).toEqual([]);
  const asked = bridge.agent.prompts.map(({ session, prompt }) => `${session.key} ${prompt.text}`);
  expect(new Set(asked).size).toBe(asked.length);
});

/** What was sent into a connection that was cut never came: the gateway sends it again, as a real one would. */
async function reached(gateway: AgpGateway, bridge: AgpBridge, seen: PromptSeen): Promise<void> {
  await until(
    `an answer to ${seen.id}`,
    async () => {
      if (seen.response) return true;
      const known = bridge.dispatcher.session(bridge.key(seen.session))?.replies;
      if (!known?.some(({ meta }) => meta.prompt_id === seen.id) && gateway.live > 0) gateway.again(seen);
      return false;
    },
    60_000,
  );
}

test('20 restarts of the bridge at random moments: every prompt is answered, no answer is doubled', {
  timeout: 120_000,
}, async () => {
  const dice = seeded(seed + 1);
  await using gateway = await AgpGateway.start();
  let bridge = new AgpBridge({ url: gateway.url, reconnectMs: 2 });
  lively(() => bridge, dice);
  bridge.start();
  await gateway.connected();
  const talk = async (session: string) => {
    for (let n = 0; n < 40; n += 1) {
      await until('a connection', () => gateway.live > 0);
      const seen = gateway.prompt(session, `${n}`);
      await until(
        `an answer to ${seen.id}`,
        () => {
          if (seen.response) return true;
          const known = bridge.dispatcher.session(bridge.key(session))?.replies;
          if (!known?.some(({ meta }) => meta.prompt_id === seen.id) && gateway.live > 0) gateway.again(seen);
          return false;
        },
        60_000,
      );
    }
  };
  const talks = Promise.all(Array.from({ length: 20 }, (_, session) => talk(`wx-${session}`)));
  for (let n = 0; n < 20; n += 1) {
    const moment = gateway.received + Math.floor(dice() * 80);
    await until('the moment', () => gateway.received >= moment);
    const next = bridge.killed();
    gateway.cut();
    for (const seen of gateway.prompts.values()) if (!seen.response) seen.interrupted = true;
    bridge = next;
    lively(() => bridge, dice);
    bridge.start();
  }
  await talks;
  expect(gateway.verdict()).toEqual([]);
  await bridge[Symbol.asyncDispose]();
});
