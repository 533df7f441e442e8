// A chat hub in miniature: it keeps the history and speaks to /v1/chat/completions as OpenClaw does.

export interface DemoTool {
  name: string;
  description: string;
  run(args: Record<string, unknown>): string;
}

interface WireCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

type WireMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; tool_calls?: WireCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

interface Delta {
  content?: string;
  tool_calls?: { id?: string; function?: { name?: string; arguments?: string } }[];
}

export interface ChatClientOptions {
  /** `http://127.0.0.1:PORT` */
  url: string;
  token: string;
  /** Names the conversation. */
  session: string;
  tools: DemoTool[];
  onText(text: string): void;
  onToolCall(name: string, result: string): void;
}

/** Longest one message may take in the demo, milliseconds. */
const patience = 60_000;
/** Most tool rounds in one message. */
const mostRounds = 8;

export class ChatClient {
  readonly #options: ChatClientOptions;
  readonly #history: WireMessage[] = [];

  constructor(options: ChatClientOptions) {
    this.#options = options;
  }

  /** Sends a message and returns the answer's text; tools are run on the way. */
  async say(text: string): Promise<string> {
    this.#history.push({ role: 'user', content: text });
    let answer = '';
    for (let round = 0; round < mostRounds; round += 1) {
      const { content, calls } = await this.#post();
      answer += content;
      this.#history.push({ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) });
      if (calls.length === 0) return answer;
      for (const call of calls) this.#history.push(this.#runTool(call));
    }
    return answer;
  }

  #runTool(call: WireCall): WireMessage {
    const { name } = call.function;
    const tool = this.#options.tools.find((each) => each.name === name);
    const args = JSON.parse(call.function.arguments || '{}') as Record<string, unknown>;
    const content = tool ? tool.run(args) : `There is no tool ${name}.`;
    this.#options.onToolCall(name, content);
    return { role: 'tool', tool_call_id: call.id, content };
  }

  async #post(): Promise<{ content: string; calls: WireCall[] }> {
    const { url, token, session, tools } = this.#options;
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-synthesis-session': session,
      },
      body: JSON.stringify({
        model: 'claude',
        stream: true,
        messages: this.#history,
        tools: tools.map(({ name, description }) => ({
          type: 'function',
          function: { name, description, parameters: { type: 'object', properties: {} } },
        })),
      }),
      signal: AbortSignal.timeout(patience),
    });
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
    return this.#collect(response.body);
  }

  async #collect(body: ReadableStream<Uint8Array>): Promise<{ content: string; calls: WireCall[] }> {
    let content = '';
    const calls: WireCall[] = [];
    for await (const delta of deltas(body)) {
      if (delta.content) {
        content += delta.content;
        this.#options.onText(delta.content);
      }
      for (const call of delta.tool_calls ?? []) {
        const { name = '', arguments: args = '{}' } = call.function ?? {};
        calls.push({ id: call.id ?? '', type: 'function', function: { name, arguments: args } });
      }
    }
    return { content, calls };
  }
}

/** The deltas of an SSE body, until `[DONE]`. */
async function* deltas(body: ReadableStream<Uint8Array>): AsyncGenerator<Delta> {
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event.replace(/^data: /, '');
      if (data === '[DONE]') return;
      const { choices } = JSON.parse(data) as { choices: { delta?: Delta }[] };
      if (choices[0]?.delta) yield choices[0].delta;
    }
  }
}
