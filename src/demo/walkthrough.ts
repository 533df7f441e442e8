// The whole loop on this machine, with the simulated Claude: a message, a streamed answer, memory, a tool, a permission.
import { readFileSync } from 'node:fs';
import type { Bridge } from '../bridge/main.ts';
import { ChatClient } from './chat-client.ts';
import { DemoBridge } from './demo-bridge.ts';

/** Of a demo that was left nothing more is told. */
let isLeft = false;
const write = (text: string) => void (isLeft || process.stdout.write(text));
const line = (text = '') => write(`${text}\n`);

/** @returns the exit code: 0 when every step did what it says, 130 when it was left */
export async function walkthrough(): Promise<number> {
  await using demo = await DemoBridge.start({ delivery: 'channel' });
  const { bridge, home } = demo;
  line('A bridge, a hub in miniature, and a simulated Claude Code. No sign-in, no network.');
  line(`The bridge listens at ${bridge.url}/v1; its state is in ${home} and is removed afterwards.`);
  const playing = play(bridge);
  // Of a demo that was left the client loses its bridge.
  playing.catch(() => {});
  const failures = await Promise.race([playing, demo.left]);
  if (!failures) {
    line('\n\nLeft. Nothing of the demo stays.');
    isLeft = true;
    return 130;
  }
  for (const failure of failures) line(`\nThis step did not work: ${failure}`);
  if (failures.length === 0) line('\nThat was the whole loop. With your own Claude Code: synthesis up');
  return failures.length === 0 ? 0 : 1;
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
