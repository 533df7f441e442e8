// A yes in a chat that came to another machine's port counts as it does on the machine where the question was asked: that
// judges whoever wrote it, by its own configuration, and keeps the record.
import { afterAll, beforeAll, expect } from 'vitest';
import { groupBody, STAMP, senderBlock } from '../../bridge/ingress/openai/request.ts';
import { natsTest as test } from '../../support/nats-test.ts';
import { until } from '../../support/until.ts';
import { Nodes } from '../support/nodes.ts';

let nodes: Nodes;

beforeAll(async () => {
  nodes = await Nodes.none();
  // Who may answer on box counts for nothing that was asked on mac.
  await nodes.begin('mac', 'mac', { config: { approvers: ['telegram:4242', 'telegram:4243'] } });
  await nodes.begin('box', 'box', { config: { approvers: ['telegram:501'] } });
  await nodes.sees('box', 'alive', 1);
});

afterAll(() => nodes[Symbol.asyncDispose]());

/** One message of a group of Telegram, as OpenClaw brings it. @returns the answer */
async function chat(node: string, id: string, text: string): Promise<string> {
  const { baseURL, apiKey } = nodes.bridge(node).client('unused');
  const content = `${STAMP}${senderBlock({ id, name: `n${id}` })}${text}`;
  const body = JSON.stringify({ ...groupBody({ role: 'user', content }), stream: false });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, body });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
}

/** Has something asked there. @returns its code */
async function asked(command: string): Promise<string> {
  expect(await chat('mac', '501', `[[bash:${command}]]`)).toContain(command);
  const asks = await nodes.json<{ code: string; node: string }[]>('mac', 'approvals', '--node', 'mac');
  return asks[0]?.code ?? '';
}

const audit = async (node: string, code: string) => {
  const { stdout } = await nodes.command(node, 'audit', '--json');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter((entry) => entry.code === code);
};

test('is judged and written down where it was asked', async () => {
  const code = await asked('echo deployed');
  expect(await chat('box', '501', `yes ${code}`)).toContain('You are not among the approvers');
  // Box hears with mac's next record which codes wait there; before that such a message is one like any other.
  const says = (key: string) => nodes.bridge('box').ask(key, `yes ${code}`);
  const foreign = 'belongs to another conversation';
  await until('box to know the code', async () => (await says('elsewhere')).includes(foreign));
  expect(await says('new')).toContain(foreign);
  const begun = await nodes.json<{ key: string }[]>('box', 'ps', '--node', 'box');
  expect(begun.map(({ key }) => key)).not.toContain('new');
  expect(await nodes.json('box', 'approvals')).toMatchObject([{ code, node: 'mac' }]);
  expect(await chat('box', '4242', `yes ${code}`)).toContain('deployed');
  expect(await audit('mac', code)).toMatchObject([
    { session: 'agent:main:telegram:group:-100555', answer: { verdict: 'allow', by: 'chat', who: 'n4242' } },
  ]);
  expect(await audit('box', code)).toEqual([]);
  expect(await chat('box', '4243', `no ${code}`)).toContain('Already answered');
});

test('is one of several answers, of which one counts, whichever door and machine they come by', async () => {
  const code = await asked('echo released');
  const [, , operator] = await Promise.all([
    chat('box', '4242', `yes ${code}`),
    chat('mac', '4243', `no ${code}`),
    nodes.command('box', 'deny', code),
  ]);
  const decided = nodes
    .bridge('mac')
    .lines.filter((row) => row.event === 'permission.decided' && row.code === code);
  expect(decided).toHaveLength(1);
  expect(operator.code === 0).toBe(decided[0]?.by === 'cli');
});
