// The simulated afternoon as data, and what a chat does with it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Chat } from '../../src/demo/afternoon/chat.ts';
import { cuesOf, roundMs, rounds } from '../../src/demo/afternoon/cues.ts';
import { OpenTurns } from '../../src/demo/afternoon/open-turns.ts';
import { rulesOf } from '../../src/demo/afternoon/rules.ts';
import { chats, files, scenesIn } from '../../src/demo/afternoon/scenes.ts';
import { planAnswer, type Step } from '../../src/demo/claude/turn/brain.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

const memory = { earlier: [], context: [], systemPrompt: undefined };
const folder = '/a folder/"here"';
const scenes = scenesIn(folder);
const rules = rulesOf(scenes);
const plan = (says: string): Step[] => planAnswer(`[user] ${says}`, memory, rules);
const messages = scenes.flatMap(({ chat, at, does }) => ('says' in does ? [{ chat, at, ...does }] : []));
const asksIn = (says: string): string[] =>
  plan(says)
    .flatMap((step) => (step.kind === 'tools' ? step.calls.map(({ name }) => name) : []))
    .filter((name) => !name.startsWith('mcp__'));

test('every round has every scene once, in order, and after the last one nothing comes', () => {
  const cues = cuesOf(scenes);
  expect(cues).toHaveLength(rounds * scenes.length);
  expect(cues.map(({ at }) => at)).toEqual(cues.map(({ at }) => at).toSorted((a, b) => a - b));
  expect(cues.slice(scenes.length, 2 * scenes.length)).toEqual(
    scenes.map((scene) => ({ at: roundMs + scene.at, scene })),
  );
  expect(cues.at(-1)?.at).toBeLessThan(rounds * roundMs);
});

test('every message has an answer of its own, in words that the simulated Claude knows', () => {
  for (const { says, answer } of messages) {
    expect(rules.filter(({ when }) => new RegExp(when, 'i').test(`[user] ${says}`))).toHaveLength(1);
    expect(plan(says)).toEqual(planAnswer('', memory, [{ when: '', answer }]));
    expect(JSON.stringify(plan(says))).not.toContain('[[');
  }
});

test('within half a minute the operator is asked, and a chat answers a question that it may answer', () => {
  const asked = messages.filter(({ says }) => asksIn(says).length > 0);
  expect(asked[0]?.at).toBeLessThan(5_000);
  const answers = scenes.filter(({ does }) => 'answers' in does);
  expect(answers).not.toEqual([]);
  for (const { chat, at } of answers) {
    expect(chats[chat]).toContain(':direct:');
    expect(at).toBeLessThan(30_000);
    expect(asked.findLast((each) => each.chat === chat && each.at < at)).toBeDefined();
  }
});

test('it shows a command, a question, a change of a file that is there, and a Claude Code that ends and is asked again', () => {
  const steps = messages.flatMap(({ says }) => plan(says));
  const calls = steps.flatMap((step) => (step.kind === 'tools' ? step.calls : []));
  expect(new Set(calls.map(({ name }) => name))).toEqual(
    new Set(['Bash', 'AskUserQuestion', 'Write', 'mcp__synthesis__weather']),
  );
  for (const { input } of calls.filter(({ name }) => name === 'Write'))
    expect(Object.keys(files).map((name) => `${folder}/${name}`)).toContain(input.file_path);
  const end = messages.find(({ says }) => plan(says).at(-1)?.kind === 'exit');
  expect(messages.some(({ chat, at }) => chat === end?.chat && at > end.at)).toBe(true);
});

test('a turn is open until it is settled, for its own conversation', () => {
  const turns = new OpenTurns();
  const hear = (session: string, event: SessionEvent) => turns.hear({ seq: 1, at: 0, session, event });
  const queued = { type: 'turn.queued', ingress: 'openai', text: '', meta: {} } as const;
  for (const turn of ['t1', 't2']) hear('a', { ...queued, turn });
  expect([turns.count('a'), turns.count('b')]).toEqual([2, 0]);
  hear('a', { type: 'turn.settled', turn: 't1', outcome: 'completed' });
  expect(turns.count('a')).toBe(1);
});

/** Stands where the bridge does, and answers with the same text each time. */
async function door(answer: string): Promise<{ server: Server; url: string; said: string[] }> {
  const said: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      said.push((JSON.parse(body) as { messages: { content: string }[] }).messages.at(-1)?.content ?? '');
      const chunk = JSON.stringify({ choices: [{ delta: { content: answer } }] });
      response.end(`data: ${chunk}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, said };
}

test('a chat says yes to the code it was told, and no third message while two are open', async () => {
  const { server, url, said } = await door('Approve? Reply `yes bqxzt` or `no bqxzt`.');
  try {
    let open = 0;
    const chat = new Chat({ url, token: 't', session: 's', open: () => open });
    await chat.act({ answers: 'yes' });
    expect(said).toEqual([]);
    // The second one comes while the answer to the first is read.
    await Promise.all(['one', 'lost'].map((says) => chat.act({ says, answer: '' })));
    open = 1;
    await chat.act({ says: 'two', answer: '' });
    open = 2;
    await chat.act({ says: 'three', answer: '' });
    await chat.act({ answers: 'yes' });
    expect(said).toEqual(['one', 'two', 'yes bqxzt']);
  } finally {
    server.close();
  }
});
