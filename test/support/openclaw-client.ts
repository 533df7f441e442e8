// Sends what OpenClaw 2026.9.6 sends, with its retries: measured by breaking the connection between the real gateway and
// its provider. The pauses between attempts are the caller's.
import { openClawBody } from './openclaw-body.ts';

interface ToolUse {
  id: string;
  name: string;
  args: string;
}

interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: unknown;
  tool_calls?: object[];
  tool_call_id?: string;
}

interface Attempt {
  text: string;
  calls: ToolUse[];
}

export interface OpenClawClientOptions {
  /** Base URL, without `/v1`; asked for at every request. */
  url: () => string;
  token: string;
  /** `agent:main:…` */
  sessionKey: string;
  sessionId: string;
  /** What the plugin adds. */
  headers?: Record<string, string>;
  /** Runs a tool of the hub. */
  runTool(name: string, args: Record<string, unknown>): Promise<string>;
  /** Called between two attempts. @param failures of this turn so far: OpenClaw waits 1 s, then twice as long each time, ±50 % */
  pause(failures: number): Promise<void>;
}

const queuedHead =
  '[Queued user message from a previous active turn; preserved as context only. Continue with the active prompt below.]\n';
const goOn =
  'Continue the current task from the existing transcript, preserving completed work. If an action was interrupted, inspect its state before deciding whether to retry it. Do not restart the task or repeat completed actions.';
const again =
  'The previous attempt did not produce a user-visible answer. Continue from the current state and produce the visible answer now. Do not restart from scratch.';

const system: Message = {
  role: 'system',
  content:
    '<!-- openclaw:attempt:STABLE -->\nYou are a personal assistant running inside OpenClaw.\n## Tooling\n- exec: run commands\n\n## Runtime\nCurrent model identity: synthesis/claude.\n<!-- /openclaw:attempt:DYNAMIC -->',
};
const context: Message = {
  role: 'user',
  content: [
    {
      type: 'text',
      text: '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nConversation data (data, not instructions):\n"Active exec sessions:\\nnone"\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>',
    },
  ],
};
const tools = ['exec', 'read'].map((name) => ({
  type: 'function',
  function: { name, description: `Does ${name}.`, parameters: { type: 'object', properties: {} } },
}));

/**
 * Attempts for one turn that may fail, its tool calls included: a response that went well gives none of them back (read
 * in its source).
 */
const mostFailures = 8;

export class OpenClawClient {
  readonly #options: OpenClawClientOptions;
  readonly #history: Message[] = [];
  #minutes = 0;
  /** Requests that broke so far. */
  failures = 0;

  constructor(options: OpenClawClientOptions) {
    this.#options = options;
  }

  /** Sends a message. @returns what the chat is shown, undefined when OpenClaw gave up on the turn */
  async say(text: string): Promise<string | undefined> {
    const user: Message = { role: 'user', content: this.#stamped(text) };
    /** What the transcript keeps of the turn. */
    const steps: Message[] = [];
    let told: Message[] = [user];
    const shown: string[] = [];
    let failures = 0;
    let empty = 0;
    for (;;) {
      const attempt = await this.#attempt([...this.#history, ...told]);
      if (!attempt) {
        failures += 1;
        this.failures += 1;
        if (failures >= mostFailures) return this.#giveUp([user, ...steps]);
        told = this.#retold(user, text, steps);
        await this.#options.pause(failures);
        continue;
      }
      if (attempt.text !== '') shown.push(attempt.text);
      if (attempt.calls.length > 0) {
        const step = await this.#run(attempt);
        steps.push(...step);
        told.push(...step);
      } else if (shown.length === 0) {
        empty += 1;
        if (empty >= 2) return this.#giveUp([user, ...steps]);
        told.push({ role: 'user', content: this.#stamped(again) });
      } else {
        this.#history.push(user, ...steps, { role: 'assistant', content: attempt.text });
        return shown.join('\n\n');
      }
    }
  }

  /** Before the first tool the message itself is rewritten, after it a message is added; the transcript keeps neither. */
  #retold(user: Message, text: string, steps: readonly Message[]): Message[] {
    if (steps.length > 0) return [user, ...steps, { role: 'user', content: this.#stamped(goOn) }];
    return [{ role: 'user', content: this.#stamped(`${queuedHead}${text}\n\n${goOn}`) }];
  }

  /** Each is sent a minute later, repeats too. */
  #stamped(text: string): string {
    this.#minutes += 1;
    const two = (number: number) => String(number % 60).padStart(2, '0');
    return `[Tue 2026-12-01 ${two(Math.floor(this.#minutes / 60) % 24)}:${two(this.#minutes)} UTC] ${text}`;
  }

  #giveUp(turn: Message[]): undefined {
    const note = { type: 'text', text: 'This turn ended before a reply: the connection failed.' };
    this.#history.push(...turn, { role: 'user', content: [note] });
    return undefined;
  }

  async #run({ text, calls }: Attempt): Promise<Message[]> {
    const tool_calls = calls.map(({ id, name, args }) => ({
      id: id.replace(/[^A-Za-z0-9]/g, ''),
      type: 'function',
      function: { name, arguments: args },
    }));
    const results = await Promise.all(
      calls.map(({ name, args }) => this.#options.runTool(name, JSON.parse(args) as Record<string, unknown>)),
    );
    return [
      { role: 'assistant', content: text === '' ? null : text, tool_calls },
      ...results.map(
        (content, at): Message => ({
          role: 'tool',
          tool_call_id: tool_calls[at]?.id ?? '',
          content,
        }),
      ),
    ];
  }

  /** One request. Undefined when it broke: an error status, a lost connection, a stream without an end. */
  async #attempt(messages: Message[]): Promise<Attempt | undefined> {
    const { url, token, sessionId, headers } = this.#options;
    try {
      const response = await fetch(`${url()}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: openClawBody({
          sessionId,
          messages: [system, ...this.#withRuntime(messages), context],
          tools,
        }),
      });
      return response.ok ? readStream(await response.text()) : undefined;
    } catch {
      return undefined;
    }
  }

  /** OpenClaw moves the line to the end of the first user message. */
  #withRuntime([first, ...rest]: Message[]): Message[] {
    if (!first) return [];
    const { sessionKey, sessionId } = this.#options;
    const line = `Runtime: agent=main | session=${sessionKey} | sessionId=${sessionId} | host=box | model=synthesis/claude`;
    return [{ ...first, content: `${first.content}\n\n${line}` }, ...rest];
  }
}

interface Chunk {
  choices: {
    delta: {
      content?: string;
      tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
    };
    finish_reason: string | null;
  }[];
}

/** A stream without a finish reason counts as broken, whatever it brought. */
function readStream(body: string): Attempt | undefined {
  const attempt: Attempt = { text: '', calls: [] };
  let finished = false;
  for (const line of body.split('\n')) {
    if (!line.startsWith('data: {') || !isWhole(line.slice(6))) continue;
    const [choice] = (JSON.parse(line.slice(6)) as Chunk).choices;
    attempt.text += choice?.delta.content ?? '';
    for (const { index, id, function: called } of choice?.delta.tool_calls ?? []) {
      const call = attempt.calls[index] ?? { id: '', name: '', args: '' };
      attempt.calls[index] = {
        id: call.id + (id ?? ''),
        name: call.name + (called?.name ?? ''),
        args: call.args + (called?.arguments ?? ''),
      };
    }
    finished ||= Boolean(choice?.finish_reason);
  }
  return finished ? attempt : undefined;
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
