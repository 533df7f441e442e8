// Connections between OpenClaw and the bridge that break at random places: whatever breaks, Claude gets each message
// once, and its answer reaches the chat.
import { expect, test } from 'vitest';
import { type Fault, FlakyProxy } from '../../support/flaky-proxy.ts';
import { OpenClawClient } from '../../support/openclaw-client.ts';
import { letThrough } from '../../support/rulings.ts';
import { seeded } from '../../support/seeded.ts';
import { SmallBridge } from '../../support/small-bridge.ts';

const soon = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A Claude that writes, pauses and calls tools of the hub, differently for each message. */
function lively(bridge: SmallBridge, random: () => number): void {
  const { agent } = bridge;
  const waiting = new Map<string, (content: string) => void>();
  agent.answerTool = (_key, call, ok, content) => {
    agent.toolAnswers.push({ call, ok, content });
    waiting.get(call)?.(content);
  };
  let calls = 0;
  const callTool = (key: string) => {
    const call = `call${++calls}`;
    const answered = new Promise<string>((resolve) => waiting.set(call, resolve));
    agent.report(key, { type: 'tool.call', call, tool: 'exec', args: { call }, ruling: letThrough });
    return answered;
  };
  agent.onPrompt = async ({ turn, text }, { key }) => {
    await soon(random() * 3);
    agent.take(key, turn);
    let message = 0;
    const write = async (words: string) => {
      message += 1;
      for (const [index, word] of words.split(' ').entries()) {
        agent.say(key, turn, index === 0 ? word : ` ${word}`, `m${message}`, index);
        if (random() < 0.3) await soon(random() * 2);
      }
      agent.report(key, {
        type: 'message.delta',
        prompt: `p-${turn}`,
        message: `m${message}`,
        index: words.split(' ').length,
        text: '',
        final: true,
      });
    };
    const tools = Math.floor(random() * 3);
    for (let round = 0; round < tools; round += 1) {
      if (random() < 0.5) await write(`looking into ${text}`);
      const together = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => callTool(key));
      await Promise.all(together);
    }
    await write(`the answer to ${text} is: yes.${' and so on'.repeat(Math.floor(random() * 20))}`);
    agent.endTurn(key, turn);
  };
}

function faultOf(random: () => number): Fault {
  const kind = Math.floor(random() * 16);
  const afterBytes = Math.floor(random() ** 2 * 4000);
  switch (kind) {
    case 0:
      return { kind: 'refused' };
    case 1:
      return { kind: 'status', status: random() < 0.5 ? 500 : 503 };
    case 2:
    case 3:
      return { kind: 'reset', afterBytes, provider: 'abort' };
    case 4:
    case 5:
      return { kind: 'reset', afterBytes, provider: 'drain' };
    case 6:
    case 7:
      return { kind: 'half', afterBytes };
    case 8:
    case 9:
      return { kind: 'slow', ms: random() * 8 };
    case 10:
    case 11:
      return { kind: 'stall', afterBytes, ms: random() * 40 };
    default:
      return { kind: 'none' };
  }
}

/** Slow answers, resets, half streams, and requests that never got there: each kind has its share. */
const families = [['slow', 'stall'], ['reset'], ['half'], ['refused', 'status']] as const;

/** Ten conversations at once, each of many messages, until the connection was broken often enough in every way. */
async function storm(seed: number, wanted: number): Promise<void> {
  const random = seeded(seed);
  // More messages than people write.
  const limits = { messagesPerMinute: 10_000, messageCharacters: 100_000 };
  await using bridge = await SmallBridge.start({ limits });
  await using proxy = await FlakyProxy.start(() => bridge.url);
  lively(bridge, random);
  proxy.plan = () => faultOf(random);
  const enough = () =>
    proxy.struck() >= wanted && families.every((kinds) => proxy.struck(...kinds) > wanted / 10);
  const shown = new Map<string, string[]>();
  const texts: string[] = [];
  const ran: string[] = [];
  const converse = async (name: string) => {
    const client = new OpenClawClient({
      url: () => proxy.url,
      token: bridge.token,
      sessionKey: `agent:main:${name}`,
      sessionId: `00000000-0000-4000-8000-${name.padStart(12, '0')}`,
      runTool: async (_tool, { call }) => {
        ran.push(String(call));
        await soon(random() * 3);
        return `result of ${call}`;
      },
      pause: () => soon(random() * 3),
    });
    const seen: string[] = [];
    shown.set(name, seen);
    const say = async (at: number) => {
      const text = `question ${name}x${at}.`;
      texts.push(text);
      seen.push((await client.say(text)) ?? '');
    };
    for (let at = 0; !enough(); at += 1) await say(at);
    return () => say(9999);
  };
  const last = await Promise.all(Array.from({ length: 10 }, (_, at) => converse(String(at))));
  // One quiet message each: what OpenClaw gave up on has to come with it.
  proxy.plan = () => ({ kind: 'none' });
  await Promise.all(last.map((say) => say()));

  expect(enough()).toBe(true);
  const prompts = bridge.agent.prompts.map(({ prompt }) => prompt.text);
  expect(prompts.toSorted()).toEqual(texts.toSorted());
  expect(bridge.agent.interrupted).toEqual([]);
  const all = [...shown.values()].flat().join('\n');
  const times = (text: string) => all.split(`the answer to ${text} is: yes.`).length - 1;
  expect(texts.filter((text) => times(text) !== 1).map((text) => [text, times(text)])).toEqual([]);
  expect(all).not.toContain('⚠️');
  // No call was run twice, and none went without its result.
  expect(new Set(ran).size).toBe(ran.length);
  expect(bridge.agent.toolAnswers.filter(({ ok }) => !ok)).toEqual([]);
}

test('500 slow, reset or half answers never prompt Claude twice for one message, nor leave one unanswered', async () => {
  await storm(20_261_121, 500);
}, 120_000);
