// The bridge dies at random moments while OpenClaw waits for an answer, and comes back on the same port.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OpenClawClient } from '../support/openclaw-client.ts';
import { Home, simulatedClaude } from './support/program.ts';

const soon = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Line {
  type?: string;
  message?: { content?: unknown };
}

/** What Claude was told, in its own words: the prompts in its transcripts. */
function prompts(home: string): string[] {
  const projects = join(home, '.claude/projects');
  return readdirSync(projects, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(projects, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ type, message }) => type === 'user' && typeof message?.content === 'string')
    .map(({ message }) => String(message?.content));
}

test('a bridge that is killed again and again prompts Claude once per message, and answers each', async () => {
  await using home = new Home();
  let bridge = await home.up();
  const port = new URL(bridge.at.url).port;
  const token = readFileSync(bridge.at.token_file, 'utf8').trim();
  const args = ['--claude', simulatedClaude, '--delivery', 'terminal', '--port', port];
  const client = new OpenClawClient({
    url: () => `http://127.0.0.1:${port}`,
    token,
    sessionKey: 'agent:main:main',
    sessionId: '00000000-0000-4000-8000-000000000001',
    runTool: async (_tool, { command }) => `ran ${command}`,
    pause: () => soon(400),
  });
  const questions: string[] = [];
  const shown: string[] = [];
  for (let at = 0; at < 8; at += 1) {
    const question = `question ${at}. [[say:Looking.]][[tool:exec {"command":"look ${at}"}]][[wait:150]][[say:Answer ${at}.]]`;
    questions.push(question);
    const answered = client.say(question);
    // Spread over the start of Claude, the hand-over, the tool, and the answer.
    await soon(at * 170);
    await bridge.kill();
    bridge = await home.up({ args });
    shown.push((await answered) ?? '');
  }
  shown.push((await client.say('[[say:The end.]]')) ?? '');

  const told = prompts(home.path);
  const counts = questions.map((question) => told.filter((text) => text.includes(question)).length);
  expect(counts.filter((count) => count > 1)).toEqual([]);
  const all = shown.join('\n');
  const unanswered = questions.filter((_, at) => !all.includes(`Answer ${at}.`));
  expect(unanswered.length).toBeLessThanOrEqual(all.split('⚠️').length - 1);
  expect(all).toContain('The end.');
}, 120_000);
