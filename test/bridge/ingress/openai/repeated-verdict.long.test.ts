// An answer to a question, where the connection between OpenClaw and the bridge breaks.
import { expect, test } from 'vitest';
import { type Fault, FlakyProxy } from '../../../support/flaky-proxy.ts';
import { OpenClawClient } from '../../../support/openclaw-client.ts';
import { SmallBridge } from '../../../support/small-bridge.ts';

const code = 'kaeop';

test.each<[string, Fault]>([
  ['never got here', { kind: 'refused' }],
  ['was taken, and what followed was lost', { kind: 'reset', afterBytes: 0, provider: 'drain' }],
])('a yes that %s is given once', async (_, fault) => {
  await using bridge = await SmallBridge.start();
  const { agent } = bridge;
  agent.onPrompt = ({ turn }, { key }) => {
    agent.take(key, turn);
    const expires_at = Date.now() + 60_000;
    agent.report(key, { type: 'permission.ask', code, tool: 'Bash', input: { command: 'ls' }, expires_at });
    agent.answerPermission = (_key, answer) => {
      agent.permissions.push(answer);
      agent.say(key, turn, 'it ran');
      agent.endTurn(key, turn);
    };
  };
  await using proxy = await FlakyProxy.start(() => bridge.url);
  const client = new OpenClawClient({
    url: () => proxy.url,
    token: bridge.token,
    sessionKey: 'agent:main:main',
    sessionId: '00000000-0000-4000-8000-000000000000',
    runTool: async () => '',
    pause: async () => {},
  });
  expect(await client.say('go')).toContain(`yes ${code}`);
  const plans = [fault];
  proxy.plan = () => plans.shift() ?? { kind: 'none' };
  expect(await client.say(`yes ${code}`)).toContain('it ran');
  expect(client.failures).toBe(1);
  expect(agent.permissions).toMatchObject([{ code, verdict: 'allow', by: 'chat' }]);
  expect(agent.prompts).toHaveLength(1);
});
