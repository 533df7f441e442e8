// The whole loop on this machine, with the simulated Claude: a message, a streamed answer, memory, a tool, a permission.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bridge } from '../bridge/main.ts';
import { Config } from '../protocol/config.ts';
import { ChatClient } from './chat-client.ts';

const simulatedClaude = fileURLToPath(new URL('../../dist/demo/claude.js', import.meta.url));

const write = (text: string) => void process.stdout.write(text);
const line = (text = '') => write(`${text}\n`);

/** @returns the exit code: 0 when every step did what it says. */
export async function walkthrough(): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'synthesis-demo-'));
  const bridge = await startDemoBridge(home);
  try {
    line('A bridge, a hub in miniature, and a simulated Claude Code. No sign-in, no network.');
    line(`The bridge listens at ${bridge.url}/v1; its state is in ${home} and is removed afterwards.`);
    const failures = await play(bridge);
    for (const failure of failures) line(`\nThis step did not work: ${failure}`);
    if (failures.length === 0) line('\nThat was the whole loop. With your own Claude Code: synthesis up');
    return failures.length === 0 ? 0 : 1;
  } finally {
    await bridge.close('the demo is over');
    rmSync(home, { recursive: true, force: true });
  }
}

async function startDemoBridge(home: string): Promise<Bridge> {
  const { startBridge } = await import('../bridge/main.ts');
  const config = Config.parse({
    port: 0,
    claude: simulatedClaude,
    cwd: home,
    delivery: 'channel',
    channels: { development: true },
    // It only looks. Without a rule a tool that nobody knows asks first.
    policy: [{ tool: 'weather', decision: 'allow' }],
  });
  return startBridge({
    config: { ...config, cwd: home },
    stateDir: join(home, 'state'),
    controlPath: join(home, 'control.sock'),
    version: 'demo',
    env: { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude') },
    onRow: () => {},
  });
}

interface Step {
  title: string;
  says: string;
  /** Part of the answer that proves the step. */
  expects: RegExp;
}

async function play(bridge: Bridge): Promise<string[]> {
  const token = readFileSync(bridge.tokenFile, 'utf8').trim();
  const client = new ChatClient({
    url: bridge.url,
    token,
    session: 'demo:alice',
    tools: [{ name: 'weather', description: 'Tells the weather.', run: () => 'sunny, 21 degrees' }],
    onText: write,
    onToolCall: (name, result) => line(`\n   [the hub runs its tool "${name}": ${result}]`),
  });
  const failures: string[] = [];
  const step = async ({ title, says, expects }: Step): Promise<string> => {
    line(`\n== ${title}`);
    line(`alice:  ${says}`);
    write('claude: ');
    const answer = await client.say(says);
    line();
    if (!expects.test(answer)) failures.push(title);
    return answer;
  };

  await step({
    title: 'A message is answered as it is written',
    says: 'Good morning! [[say:Good morning, alice.|This line follows a moment later.|And this one.]]',
    expects: /And this one\./,
  });
  await step({
    title: 'The same Claude session remembers',
    says: 'How much do you remember?',
    expects: /I remember 1 earlier/,
  });
  await step({
    title: "Claude uses one of the hub's tools",
    says: 'Do I need a coat? [[tool:weather {"city":"Berlin"}]]',
    expects: /sunny, 21 degrees/,
  });
  const question = await step({
    title: 'Claude asks for permission, in the chat',
    says: 'Show me that you can use the shell. [[bash:echo hello from the shell]]',
    expects: /Reply `yes [a-km-z]{5}`/,
  });
  const code = /`yes ([a-km-z]{5})`/.exec(question)?.[1] ?? '';
  await step({
    title: 'The answer goes on after the verdict',
    says: `yes ${code}`,
    expects: /hello from the shell/,
  });
  return failures;
}
