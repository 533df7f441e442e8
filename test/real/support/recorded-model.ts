// The model of the recording: it does what the newest message says, and each of its tools once.
import { type Gate, gate } from './gate.ts';
import type { MessagesApi, Script } from './messages-api.ts';
import { deferredTools } from './prompt-parts.ts';

type Call = [tool: string, input: unknown];

const manyTools: Call[] = [
  ['Bash', { command: 'touch proof.txt', description: 'Make a file' }],
  ['Bash', { command: 'cat missing.txt', description: 'Read a file' }],
  ['Write', { file_path: 'written.txt', content: 'written\n' }],
];

const question: Call = [
  'AskUserQuestion',
  {
    questions: [
      {
        question: 'Which colour?',
        header: 'Colour',
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
        multiSelect: false,
      },
    ],
  },
];

const errand = 'the errand of an agent';
const startsAgent: Call = [
  'Agent',
  { description: 'An errand', prompt: errand, subagent_type: 'general-purpose' },
];

/** @returns what the answer to `think`, and that of the agent, wait for */
export function recordedModel(api: MessagesApi): { thinking: Gate; agent: Gate } {
  // The last line: a message follows the unanswered one before it, and a compaction has many words of its own.
  const on = (words: string, say: Script) => api.on(({ newest }) => lastLine(newest) === words, say);
  on(
    'use tools',
    calling(() => manyTools),
  );
  on(
    'ask',
    calling(() => [question]),
  );
  on(
    'use an agent',
    calling(() => [startsAgent]),
  );
  on(
    'load tools',
    calling((request) => [['ToolSearch', { query: `select:${deferredTools(request)}`, max_results: 100 }]]),
  );
  on('fail', (answer) => answer.fail(400, 'invalid_request_error', 'no'));
  const thinking = gate();
  on('think', async (answer) => {
    answer.text('I begin\n');
    await thinking.opened;
  });
  const agent = gate();
  const work = calling(() => [['Bash', { command: 'echo of an agent', description: 'Say something' }]]);
  on(errand, async (answer, request) => {
    await agent.opened;
    await work(answer, request);
  });
  return { thinking, agent };
}

/** Makes one call after the other, and says `done` behind the last. */
const calling =
  (calls: (request: Parameters<Script>[1]) => Call[]): Script =>
  (answer, request) => {
    const { messages } = request.body;
    const from = messages.findLastIndex((message) => message.role === 'user' && saysAnything(message));
    const made = JSON.stringify(messages.slice(from)).split('"tool_result"').length - 1;
    const call = calls(request)[made];
    if (call) answer.tool(...call);
    else answer.text('done');
  };

const saysAnything = ({ content }: { content: unknown }) =>
  !JSON.stringify(content).includes('"tool_result"');

const lastLine = (text: string) => text.slice(text.lastIndexOf('\n') + 1);
