// A Messages API on loopback that says what the test's script says. It stands in for the model only: everything between
// the keyboard and this socket is the real Claude Code.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Answer, StreamedAnswer } from './messages-answer.ts';
import { type ApiRequest, type Body, readRequest } from './messages-request.ts';

/** Says one answer. It is completed when the script returns; what it throws becomes an HTTP 500. */
export type Script = (answer: Answer, request: ApiRequest) => void | Promise<void>;

interface Rule {
  matches: (request: ApiRequest) => boolean;
  script: Script;
}

/** Says back the newest text, with its length first so that a long echo stays short. */
const echo: Script = (answer, request) => answer.text(`echo: ${request.newest.slice(-200)}`);

export class MessagesApi implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #rules: Rule[] = [];
  /** Every request so far, helper calls included, oldest first. */
  readonly requests: ApiRequest[] = [];
  /** Method and path of everything that came, oldest first: `HEAD /`. */
  readonly visits: string[] = [];

  /** Listens on a free port of 127.0.0.1. */
  static async start(): Promise<MessagesApi> {
    const api = new MessagesApi();
    await new Promise<void>((resolve, reject) => {
      api.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return api;
  }

  /** For ANTHROPIC_BASE_URL. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests that belong to the conversation, oldest first. */
  get turns(): ApiRequest[] {
    return this.requests.filter((request) => request.kind === 'turn');
  }

  /**
   * Answers turns that match with `script`; the rule added last wins. Without a rule the newest text is echoed.
   *
   * @param matches a part of the newest user text, or a predicate
   */
  on(matches: string | ((request: ApiRequest) => boolean), script: Script): void {
    const predicate =
      typeof matches === 'string' ? (request: ApiRequest) => request.newest.includes(matches) : matches;
    this.#rules.unshift({ matches: predicate, script });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const path = new URL(request.url ?? '/', 'http://loopback').pathname;
    this.visits.push(`${request.method} ${path}`);
    // Reachability probes and feature endpoints: anything harmless will do.
    if (request.method !== 'POST' || !path.startsWith('/v1/messages')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    try {
      const read = readRequest(path, request.headers, (await json(request)) as Body);
      this.requests.push(read);
      await this.#answer(read, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(500)
          .end(JSON.stringify({ type: 'error', error: { type: 'api_error', message: String(error) } }));
    }
  }

  async #answer(request: ApiRequest, response: ServerResponse): Promise<void> {
    if (request.kind === 'count') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":10}');
      return;
    }
    const script =
      request.kind === 'turn' ? this.#rules.find((rule) => rule.matches(request))?.script : sayOk;
    if (request.body.stream !== true) {
      sendWhole(response, request);
      return;
    }
    const answer = new StreamedAnswer(response, request.body.model ?? 'claude');
    await (script ?? echo)(answer, request);
    answer.finish();
  }
}

const sayOk: Script = (answer, { body }) =>
  answer.text(JSON.stringify(body.messages).includes('"type":"image"') ? 'A tulip waves.' : 'ok');

/** Claude Code streams its turns; only probes ask for a whole message. */
function sendWhole(response: ServerResponse, request: ApiRequest): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      id: 'msg_whole',
      type: 'message',
      role: 'assistant',
      model: request.body.model ?? 'claude',
      content: [{ type: 'text', text: 'ok' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  );
}
