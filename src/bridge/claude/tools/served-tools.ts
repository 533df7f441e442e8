// The tools of a Claude Code to which messages are typed: served through its host, over HTTP, without a process of their
// own. What it asks comes like a hook, so a call outlives the bridge that heard it first.
import { hashId } from '../../../base/digest.ts';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { argumentsTooLarge, type CallOutcome, type CallRequest } from '../../../mcp/call.ts';
import type { McpServer, Offer } from '../../../mcp/mcp-server.ts';
import { type ToolList, toToolList } from '../../../mcp/tools.ts';
import type { ToolSpec } from '../../../protocol/tool-spec.ts';
import { MAX_FRAME_BYTES } from '../../../protocol/wire/wire.ts';
import { AnsweredCalls, tooLarge, toolResult } from '../channel/answered-calls.ts';
import type { KnownRun } from '../known-run.ts';
import type { LocalTools } from '../options.ts';
import type { HookClient } from '../permission/permission-ask.ts';
import { HostTransport, type Notify } from './host-transport.ts';
import { type LentCall, type LentTools, markOf, ToolCatalog } from './tool-catalog.ts';

interface ServedEvents {
  called(call: LentCall): void;
  /** Claude no longer wants its answer. */
  cancelled(call: string): void;
  /** Claude Code has our tools. */
  toolsListed(): void;
}

export interface ServedOptions {
  clock: Clock;
  log: Log;
  /** Names the host, for ever. */
  run: string;
  /** What the hub lends. */
  tools: readonly ToolSpec[];
  localTools?: LocalTools | undefined;
  /** Of a Claude Code that was there before. */
  known?: Pick<KnownRun, 'calls' | 'results' | 'heard'> | undefined;
  notify: Notify;
  events: ServedEvents;
}

/** Its schemas take a while: load them before somebody waits. */
export const loadMcpServer = () => import('../../../mcp/mcp-server.ts');

/** From a call that is closed already to its answer, ms: as long as a slow disk takes. */
const closedMs = 10_000;

export class ServedTools implements Offer, LentTools {
  readonly #options: ServedOptions;
  readonly #catalog: ToolCatalog;
  readonly #transport: HostTransport;
  readonly #server: Promise<McpServer>;
  /** Calls that a bridge before has told, and whose messages come again. */
  readonly #known: Set<string>;
  readonly #open = new Map<string, (outcome: CallOutcome) => void>();
  readonly #results = new AnsweredCalls();
  #originals: ToolList['originals'] | undefined;
  /** Stands for the tools that Claude Code was told last, or is about to ask for. */
  #told: string | undefined;
  /** Stands for those that it has asked for last. */
  #asked: string | undefined;
  /** Stands for those that it has. */
  #given: string | undefined;
  readonly revision = 0;

  constructor(options: ServedOptions) {
    this.#options = options;
    const { known, localTools, log, notify, tools } = options;
    this.#catalog = new ToolCatalog(tools, localTools, log);
    this.#transport = new HostTransport(notify);
    this.#known = new Set(known?.calls);
    for (const { call, ok, content, envelope } of known?.results ?? [])
      this.#results.keep(toolResult(call, ok, content, envelope === true));
    this.#server = this.#serve();
    // An import that fails is told by the first message that waits for it.
    this.#server.catch(() => {});
    // Nobody knows what it was told.
    if (known) this.#told = this.#given = '';
    this.toolsChanged();
  }

  /**
   * A message of its MCP client.
   * @param n number of the hook as which it came @returns the answer; undefined when none is due
   */
  async read(n: number, message: unknown, client: HookClient): Promise<object | undefined> {
    await this.#server;
    if (methodOf(message) === 'tools/list') client.onWritten(() => this.#listed());
    return this.#transport.take(n, message, client.signal);
  }

  /** @param tools what the hub lends */
  setTools(tools: readonly ToolSpec[]): void {
    this.#catalog.lend(tools);
    this.toolsChanged();
  }

  get isStale(): boolean {
    return this.#given !== undefined && this.#given !== this.#told;
  }

  giveUp(): void {
    this.#given = this.#told;
  }

  /** Claude Code is told to ask again, if it has asked and there is something else now. */
  toolsChanged(): void {
    if (this.#told === undefined) return;
    const now = markOf(this.#catalog.all());
    if (now === this.#told) return;
    this.#told = now;
    this.#server
      .then((server) => server.toolsChanged())
      .catch((error: unknown) =>
        this.#options.log.warn('Claude Code could not be told about new tools', { error }),
      );
  }

  answerTool(call: string, ok: boolean, content: string, envelope = false): void {
    const isLong = Buffer.byteLength(content) > MAX_FRAME_BYTES;
    const result = this.#results.keep(isLong ? tooLarge(call) : toolResult(call, ok, content, envelope));
    this.#settle(call, result);
  }

  /** Idempotent. Nothing is answered any more, and no call is cancelled by it: the next bridge may answer. */
  close(): void {
    this.#open.clear();
    void this.#transport.close();
  }

  get list(): ToolList {
    const all = this.#catalog.all();
    const list = toToolList(all);
    this.#told = markOf(all);
    this.#asked = this.#told;
    this.#originals = list.originals;
    return list;
  }

  async known(): Promise<void> {}

  originalName(name: string): string {
    this.#originals ??= toToolList(this.#catalog.all()).originals;
    return this.#originals.get(name) ?? name;
  }

  #listed(): void {
    this.#given = this.#asked;
    this.#options.events.toolsListed();
  }

  async #serve(): Promise<McpServer> {
    const { McpServer } = await loadMcpServer();
    const { clock, log } = this.#options;
    const server = new McpServer({ offer: this, clock, log, call: (request) => this.#call(request) });
    await server.connect(this.#transport);
    return server;
  }

  /** One call is acted on once: one that a bridge before has heard gets the answer that it waits for. */
  async #call({ id, tool, args, toolUseId, signal }: CallRequest): Promise<CallOutcome> {
    const { events, known, run } = this.#options;
    const call = `tc_${hashId(`${run} ${id}`, 24)}`;
    const answered = this.#results.get(call);
    if (answered) return answered;
    if (signal.aborted) {
      // Its client hung up while there was no bridge.
      if (this.#known.delete(call)) events.cancelled(call);
      return cancelled;
    }
    const size = Buffer.byteLength(JSON.stringify(args));
    if (size > MAX_FRAME_BYTES)
      return { ok: false, error: argumentsTooLarge(`${size} bytes, ${MAX_FRAME_BYTES} at most`) };
    const outcome = this.#wait(call, signal);
    if (this.#known.delete(call)) return outcome;
    if (Number(id) <= (known?.heard ?? 0)) this.#giveUpSoon(call);
    else events.called({ call, tool, args, ...(toolUseId !== undefined && { tool_use: toolUseId }) });
    return outcome;
  }

  /** How long is the core's to say: it closes every call, with its turn at the latest. */
  #wait(call: string, signal: AbortSignal): Promise<CallOutcome> {
    const { promise, resolve } = Promise.withResolvers<CallOutcome>();
    this.#open.set(call, resolve);
    const takeBack = () => {
      if (this.#settle(call, cancelled)) this.#options.events.cancelled(call);
    };
    signal.addEventListener('abort', takeBack, { once: true });
    return promise;
  }

  /** It was closed when this bridge began: its answer is on its way to the disk, or forgotten. */
  #giveUpSoon(call: string): void {
    this.#options.clock.after(closedMs, () => this.#settle(call, lost));
  }

  /** @returns false when nobody waits for it any more */
  #settle(call: string, outcome: CallOutcome): boolean {
    this.#open.get(call)?.(outcome);
    return this.#open.delete(call);
  }
}

const methodOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined;

const cancelled: CallOutcome = { ok: false, error: 'The call was cancelled.' };

/** It was heard, and what became of it is forgotten. */
const lost: CallOutcome = {
  ok: false,
  error:
    'The bridge was restarted, and the result of this call is lost. It may have run: check before you repeat it.',
};
