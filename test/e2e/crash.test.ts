// The bridge is killed without warning while messages are on their way; a client that repeats itself, as hubs do, must
// get exactly one answer for each: Claude's, or words that say what happened.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastingPort } from '../support/lasting-port.ts';
import { Home, type RunningBridge, simulatedClaude } from './support/program.ts';

const kills = 8;

/** A reproducible stream of numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Sends one message until it is answered, as one and the same message. */
async function answered(
  url: () => string,
  token: () => string,
  session: string,
  text: string,
): Promise<string> {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    try {
      const response = await fetch(`${url()}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token()}`,
          'content-type': 'application/json',
          'x-synthesis-session': session,
          'idempotency-key': text,
        },
        body: JSON.stringify({ model: 'claude', messages: [{ role: 'user', content: text }] }),
      });
      const body = (await response.json()) as { choices?: { message: { content: string } }[] };
      if (response.ok) return body.choices?.[0]?.message.content ?? '';
    } catch {
      // Killed: sent again below.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no answer to ${text}`);
}

/** How often Claude was given each text, from the transcripts it keeps. */
function promptsGiven(home: string): string[] {
  const folder = join(home, '.claude/projects');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.includes('"type":"user"'));
}

test(`${kills} kills at any moment lose no message, and each gets one answer: Claude's or words`, async () => {
  await using home = new Home();
  const port = await lastingPort();
  const args = ['--port', String(port), '--claude', simulatedClaude, '--delivery', 'terminal'];
  const random = seeded(20_261_121);
  let bridge: RunningBridge = await home.up({ args });
  const token = readFileSync(bridge.at.token_file, 'utf8').trim();
  let done = 0;

  const talk = async (session: string) => {
    const answers: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      answers.push(
        await answered(
          () => bridge.at.url,
          () => token,
          session,
          `${session} message ${n}.`,
        ),
      );
      done += 1;
    }
    return answers;
  };
  const talks = Promise.all([talk('one'), talk('two')]);
  for (let kill = 0; kill < kills && done < 16; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, 150 + random() * 1_500));
    await bridge.kill();
    bridge = await home.up({ args });
  }
  const answers = (await talks).flat();

  const given = promptsGiven(home.path);
  for (const [index, answer] of answers.entries()) {
    const text = `${index < 8 ? 'one' : 'two'} message ${index % 8}.`;
    const mine = answer.includes(`You said: [user] ${text}`);
    const told = answer.includes('The bridge was restarted while Claude worked');
    expect([text, mine || told]).toEqual([text, true]);
    const times = given.filter((line) => line.includes(text)).length;
    // Whether Claude had begun cannot always be known; then the chat is told, and nothing is done twice.
    expect([text, times === 1 || (told && times === 0)]).toEqual([text, true]);
  }
}, 120_000);
