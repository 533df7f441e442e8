// A scripted model that wants to use each tool Claude Code asks about, one per turn: `go <kind> <name>`.
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { MessagesApi } from './messages-api.ts';
import type { ApiRequest } from './messages-request.ts';

export const toolKinds = [
  'Bash',
  'Write',
  'Edit',
  'MCP',
  'WebFetch',
  'AskUserQuestion',
  'ExitPlanMode',
] as const;
export type ToolKind = (typeof toolKinds)[number];

type Call = [tool: string, input: unknown];

interface Block {
  type: string;
  text?: string;
  content?: unknown;
}

/** The MCP tool the model uses; a hub lends it, and the user's settings say that it is asked about. */
export const lentTool = 'lookup';

export class AskingModel implements AsyncDisposable {
  readonly #cwd: string;
  readonly #web: Server;
  /** Connections that came to the page of WebFetch. */
  visits = 0;

  private constructor(api: MessagesApi, cwd: string) {
    this.#cwd = cwd;
    this.#web = createServer((socket) => {
      this.visits += 1;
      socket.destroy();
    });
    api.on(
      ({ newest }) => /\bgo \w+ \w+/.test(newest),
      (answer, request) => {
        const [, kind = '', name = ''] = /\bgo (\w+) (\w+)/.exec(request.newest) ?? [];
        const { made, last } = progress(request, `go ${kind} ${name}`);
        const call = this.#calls(kind as ToolKind, name, request)[made];
        if (call) answer.tool(...call);
        else answer.text(`result of ${name}: ${last}`);
      },
    );
  }

  static async start(api: MessagesApi, cwd: string): Promise<AskingModel> {
    const model = new AskingModel(api, cwd);
    await new Promise<void>((resolve) => model.#web.listen(0, '127.0.0.1', resolve));
    return model;
  }

  /** Makes what the tool of this turn works on. */
  async prepare(kind: ToolKind, name: string): Promise<void> {
    if (kind === 'Edit') await writeFile(this.#file(name), 'before\n');
  }

  /** Whether the tool did its work, as far as files and connections tell. */
  async ran(kind: ToolKind, name: string, visitsBefore: number): Promise<boolean | undefined> {
    switch (kind) {
      case 'Bash':
      case 'Write':
        return readFile(this.#file(name)).then(
          () => true,
          () => false,
        );
      case 'Edit':
        return (await readFile(this.#file(name), 'utf8')) === 'after\n';
      case 'WebFetch':
        return this.visits > visitsBefore;
      default:
        return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#web.close(resolve));
  }

  #file(name: string): string {
    return join(this.#cwd, `${name}.txt`);
  }

  #calls(kind: ToolKind, name: string, request: ApiRequest): Call[] {
    const file_path = this.#file(name);
    switch (kind) {
      case 'Bash':
        return [['Bash', { command: `touch ${name}.txt`, description: 'Make a file' }]];
      case 'Write':
        return [['Write', { file_path, content: 'written\n' }]];
      case 'Edit':
        return [
          ['Read', { file_path }],
          ['Edit', { file_path, old_string: 'before', new_string: 'after' }],
        ];
      case 'MCP':
        return [[`mcp__synthesis__${lentTool}`, { word: name }]];
      case 'WebFetch': {
        const { port } = this.#web.address() as { port: number };
        return [['WebFetch', { url: `https://127.0.0.1:${port}/${name}`, prompt: 'What is it?' }]];
      }
      case 'AskUserQuestion':
        return [['AskUserQuestion', { questions: [colourQuestion] }]];
      case 'ExitPlanMode': {
        // Claude Code names the file of the plan in what it tells the model.
        const plan = /[^"\s\\]*\/plans\/[\w-]+\.md/.exec(JSON.stringify(request.body))?.[0] ?? '';
        return [
          ['EnterPlanMode', {}],
          ['Write', { file_path: plan, content: `# The plan of ${name}\n` }],
          ['ExitPlanMode', {}],
        ];
      }
    }
  }
}

const colourQuestion = {
  question: 'Which colour?',
  header: 'Colour',
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
  multiSelect: false,
};

/** How many tools were called since the person's words, and what the last one brought. */
function progress(request: ApiRequest, words: string): { made: number; last: string } {
  const { messages } = request.body;
  const from = messages.findLastIndex(
    ({ role, content }) => role === 'user' && JSON.stringify(content).includes(words),
  );
  const blocks = messages
    .slice(from)
    .flatMap(({ content }) => (Array.isArray(content) ? content : [])) as Block[];
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const { content } = results.at(-1) ?? {};
  return {
    made: blocks.filter(({ type }) => type === 'tool_use').length,
    last: typeof content === 'string' ? content : JSON.stringify(content),
  };
}
