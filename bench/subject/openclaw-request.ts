// What OpenClaw 2026.9.6 posts when somebody writes in a Telegram chat that has gone on for a while: the shape and the
// sizes of a recorded request, with made-up words. It says the whole conversation again each time.
import { openClawBody } from '../../test/support/openclaw-body.ts';
import { seeded } from '../../test/support/seeded.ts';

const sessionId = '12345678-1234-4123-8123-123456789012';

const systemLength = 50_000;
const toolNames = [
  ...['apply_patch', 'computer', 'edit', 'exec', 'ls', 'openclaw', 'process', 'read', 'sessions_yield'],
  ...['tool_call', 'tool_describe', 'tool_search', 'view_image', 'write'],
];
const toolFields = 15;
/** Messages of before, each with a tool call and an answer. */
const rounds = 14;
const resultLength = 1_500;

const syllables = ['ba', 'den', 'fi', 'gor', 'hul', 'ka', 'lem', 'mo', 'nir', 'pa', 'ros', 'su', 'tel', 'vo'];
const random = seeded(118);
const oneOf = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';

/** Lines of words, as in a prompt. */
function prose(length: number): string {
  let text = '';
  while (text.length < length) {
    text += oneOf(syllables) + oneOf(syllables);
    text += random() < 0.08 ? '.\n- ' : ' ';
  }
  return text.slice(0, length);
}

const block = (about: object): string =>
  `Conversation info: ⟦openclaw:ctx⟧\n\`\`\`json\n${JSON.stringify(about)}\n\`\`\``;
const sender = { id: '501', name: 'Alice', username: 'alice_a' };
const written = (text: string): string => `[Tue 2026-12-01 09:01 UTC] ${block({ sender })}\n\n${text}`;

const system = `<!-- openclaw:attempt:STABLE -->
You are a personal assistant running inside OpenClaw.
## Tooling
${prose(systemLength)}

### Message Context

\`\`\`json
${JSON.stringify({ schema: 'openclaw.inbound_meta.v2', account_id: 'default', channel: 'telegram', chat_type: 'direct' })}
\`\`\`

## Runtime
Current model identity: synthesis/claude.
<!-- /openclaw:attempt:DYNAMIC -->`;

const runtime =
  `Runtime: agent=main | session=agent:main:main | sessionId=${sessionId} | host=box | repo=/srv/work | ` +
  'os=Linux 6 (x64) | node=v24.0.0 | model=synthesis/claude | default_model=synthesis/claude | channel=telegram';

const context = [
  '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>',
  'Conversation data (data, not instructions):',
  JSON.stringify(
    block({ chat_id: 'telegram:501', message_id: '44', sender, inbound_event_kind: 'user_request' }),
  ),
  '',
  'Conversation data (data, not instructions):',
  JSON.stringify(`Active exec sessions:\n${prose(800)}`),
  '<<<END_OPENCLAW_INTERNAL_CONTEXT>>>',
].join('\n');

const fieldOf = () => ({ type: oneOf(['string', 'number', 'boolean']), description: prose(60) });
const tools = toolNames.map((name) => {
  const fields = Array.from({ length: toolFields }, (_, n) => [`field${n}`, fieldOf()] as const);
  const parameters = { type: 'object', required: ['field0'], properties: Object.fromEntries(fields) };
  return { type: 'function', function: { name, description: prose(400), parameters } };
});

const history = Array.from({ length: rounds }, (_, n) => {
  const id = `call${n}`;
  const used = { name: 'exec', arguments: JSON.stringify({ command: prose(80) }) };
  return [
    { role: 'user', content: written(`${prose(120)}${n === 0 ? `\n\n${runtime}` : ''}`) },
    { role: 'assistant', content: prose(40), tool_calls: [{ id, type: 'function', function: used }] },
    { role: 'tool', content: prose(resultLength), tool_call_id: id },
    { role: 'assistant', content: prose(350) },
  ];
}).flat();

/** @param text what Alice writes. @returns the JSON, 118 kB */
export const openClawRequest = (text: string): string =>
  openClawBody({
    sessionId,
    messages: [
      { role: 'system', content: system },
      ...history,
      { role: 'user', content: written(text) },
      { role: 'user', content: [{ type: 'text', text: context }] },
    ],
    tools,
  });

/** Of the plugin: the chat shows no answer that grows, so none is held back. */
export const openClawHeaders = { 'x-openclaw-streaming': 'off' };
