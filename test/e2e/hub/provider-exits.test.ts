// The bridge dies at random moments while OpenClaw waits for answers, and comes back on the same port.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastingPort } from '../../support/lasting-port.ts';
import { OpenClawClient } from '../../support/openclaw-client.ts';
import { seeded } from '../../support/seeded.ts';
import { Home, simulatedClaude } from '../support/program.ts';

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

/** Of the journal. */
interface Row {
  event: string;
  turn?: string;
  text?: string;
}

const kills = 10;
const rooms = 4;
const cutOff = 'The bridge was restarted while Claude worked';

interface Said {
  question: string;
  answer: string;
  shown: string;
}

/** One message after the other, as long as it goes on, and a last one when nothing breaks any more. */
async function converse(
  client: OpenClawClient,
  room: number,
  random: () => number,
  goesOn: () => boolean,
): Promise<Said[]> {
  const said: Said[] = [];
  const say = async (question: string, answer: string) =>
    said.push({ question, answer, shown: (await client.say(question)) ?? '' });
  for (let at = 0; goesOn(); at += 1) {
    const name = `r${room}q${at}`;
    const wait = `[[wait:${Math.floor(random() * 250)}]]`;
    const tool = `[[say:Looking.]][[tool:exec {"command":"look ${name}"}]]`;
    await say(`question ${name}. ${tool}${wait}[[say:Answer ${name}.]]`, `Answer ${name}.`);
  }
  await say(`[[say:The end of ${room}.]]`, `The end of ${room}.`);
  return said;
}

test('a bridge that is killed again and again hands nothing over again that Claude took, and answers each message', async () => {
  await using home = new Home();
  home.configure({ policy: [{ tool: 'exec', decision: 'allow' }] });
  const random = seeded(20_261_121);
  const port = await lastingPort();
  const args = ['--claude', simulatedClaude, '--delivery', 'terminal', '--port', String(port)];
  let bridge = await home.up({ args });
  const token = readFileSync(bridge.at.token_file, 'utf8').trim();
  const clients = Array.from(
    { length: rooms },
    (_, room) =>
      new OpenClawClient({
        url: () => `http://127.0.0.1:${port}`,
        token,
        sessionKey: `agent:main:room${room}`,
        sessionId: `00000000-0000-4000-8000-00000000000${room}`,
        runTool: async (_tool, { command }) => `ran ${command}`,
        pause: (failures) => soon(60 * 2 ** failures * (0.5 + random())),
      }),
  );
  let over = false;
  const talks = clients.map((client, room) => converse(client, room, random, () => !over));
  // Spread over the start of Claude, the hand-over, the tool, and the answer.
  for (let kill = 0; kill < kills; kill += 1) {
    await soon(random() * 1_500);
    await bridge.kill();
    bridge = await home.up({ args });
  }
  over = true;
  const said = (await Promise.all(talks)).flat();

  expect(clients.reduce((sum, { failures }) => sum + failures, 0)).toBeGreaterThan(kills);
  const { stdout } = await home.command('logs', '--json', '--tail', '100000');
  const rows = stdout.split('\n').map((line) => JSON.parse(line) as Row);
  const told = prompts(home.path);
  for (const { question } of said) {
    const turns = rows.filter((row) => row.event === 'turn.queued' && row.text?.includes(question));
    expect([question, turns.length]).toEqual([question, 1]);
    expect(told.filter((text) => text.includes(question)).length).toBeLessThanOrEqual(1);
    const steps = rows.filter((row) => row.turn === turns[0]?.turn).map((row) => row.event);
    expect(steps.lastIndexOf('turn.running')).toBe(steps.indexOf('turn.running'));
    if (steps.includes('turn.running'))
      expect(steps.lastIndexOf('turn.delivering')).toBeLessThan(steps.indexOf('turn.running'));
  }
  // Claude's answer, or the words that it was cut off, once for each; both where Claude had written all of it and the
  // bridge was killed before it heard of the end.
  const shown = said.map((each) => each.shown).join('\n');
  const times = (text: string) => shown.split(text).length - 1;
  const unanswered = said.filter(({ answer }) => times(answer) !== 1);
  expect(unanswered.filter(({ answer }) => times(answer) > 1)).toEqual([]);
  const both = said.filter(({ answer }) => times(`${answer}\n\n⚠️ ${cutOff}`) === 1);
  expect([times(cutOff), said]).toEqual([unanswered.length + both.length, said]);
}, 120_000);
