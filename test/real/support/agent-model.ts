// A scripted model that has subagents: `start red blue, write essay` starts one for each name and writes meanwhile. An
// agent ends with a report, and Claude repeats each report once. What is held waits for the test.
import type { Answer } from './messages-answer.ts';
import type { MessagesApi } from './messages-api.ts';
import type { ApiRequest } from './messages-request.ts';

interface Block {
  type: string;
  text?: string;
}

export class AgentModel {
  readonly #held = new Map<string, () => Promise<unknown>>();
  readonly #commands = new Map<string, string>();
  /** Agents and texts that have come to their end, or wait for the test there. */
  readonly reached = new Set<string>();
  readonly ended = new Set<string>();

  constructor(api: MessagesApi) {
    api.on(() => true, this.#answer);
  }

  /** Keeps an agent, or a text of Claude's own, from its end. @param wait called when it gets there */
  hold(name: string, wait: () => Promise<unknown>): void {
    this.#held.set(name, wait);
  }

  /** Has an agent run a command before it ends. */
  command(agent: string, command: string): void {
    this.#commands.set(agent, command);
  }

  readonly #answer = (answer: Answer, request: ApiRequest): Promise<void> => {
    const agent = /You are agent (\w+)\./.exec(request.userTexts[0] ?? '')?.[1];
    return agent ? this.#agent(agent, answer, request) : this.#main(answer, request);
  };

  async #agent(name: string, answer: Answer, { body }: ApiRequest): Promise<void> {
    const command = this.#commands.get(name);
    const ran = body.messages.flatMap(blocksOf).some(({ type }) => type === 'tool_result');
    if (command !== undefined && !ran) {
      answer.tool('Bash', { command, description: `Work as ${name}` });
      return;
    }
    await this.#end(name);
    answer.text(`${name} has finished its work.`);
  }

  async #main(answer: Answer, request: ApiRequest): Promise<void> {
    const reports = unheard(request);
    answer.text(reports.map((name) => `${heardOf(name)}\n`).join(''));
    const words = request.userTexts.findLast((text) => text.includes('[user] ')) ?? '';
    const done = behind(request, words);
    const [, names, essay = ''] = /start ([\w ]+), write (\w+)/.exec(words) ?? [];
    const last = names === undefined ? `You said: ${words}` : endOf(essay);
    if (done.some(({ text }) => text?.includes(last))) {
      if (reports.length === 0) answer.text('Nothing new.');
    } else if (names === undefined) answer.text(last);
    else if (!done.some(({ type }) => type === 'tool_use')) startAgents(answer, names.split(' '));
    else {
      answer.text(`Here comes ${essay}:\n`);
      await this.#end(essay);
      answer.text(last);
    }
  }

  async #end(name: string): Promise<void> {
    this.reached.add(name);
    await this.#held.get(name)?.();
    this.ended.add(name);
  }
}

/** What Claude says when an agent's report has come. */
export const heardOf = (agent: string): string => `Heard that ${agent} has finished.`;

/** The last words of a text of Claude's own. */
export const endOf = (essay: string): string => `${essay} is written.`;

function startAgents(answer: Answer, names: string[]): void {
  for (const name of names)
    answer.tool('Agent', {
      description: `Work of ${name}`,
      subagent_type: 'general-purpose',
      prompt: `You are agent ${name}.`,
    });
}

/** Agents whose reports Claude was given, in whatever form, and has not repeated. */
function unheard({ body, assistantTexts }: ApiRequest): string[] {
  const given = JSON.stringify(body.messages).matchAll(/(\w+) has finished its work\./g);
  const said = assistantTexts.join('\n');
  return [...new Set([...given].map(([, name = '']) => name))].filter(
    (name) => !said.includes(heardOf(name)),
  );
}

const blocksOf = ({ content }: { content: unknown }): Block[] =>
  Array.isArray(content) ? content : [{ type: 'text', text: String(content) }];

/** What Claude has said and done since the person's words. */
function behind({ body }: ApiRequest, words: string): Block[] {
  const from = body.messages.findLastIndex(
    ({ role, content }) =>
      role === 'user' && JSON.stringify(content).includes(JSON.stringify(words).slice(1, -1)),
  );
  return body.messages
    .slice(from + 1)
    .filter(({ role }) => role === 'assistant')
    .flatMap(blocksOf);
}
